/** Rings when a judge is to be called: on a panel, or with the synthetic case of its seat. */
export const CALLS_TOPIC = 'validators.calls';
/** Rings when a result may have its panel drawn. */
export const PANELS_TOPIC = 'validators.panels';
