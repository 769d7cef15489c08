/** The part of a rule of PostCSS that is used here. */
interface Rule {
  selectors: string[];
  remove(): void;
}

/** The style attributes of VitePress's pages; docs/.vitepress/theme/style.css has them instead. */
export const REMOVED_STYLES = ['position:relative;', '--vp-vh:0px;'];

/** Parts of the theme that no page of the site has. */
const UNUSED =
  /VP(?:Home|Hero|Feature|Team|Sponsor|Image|NavBarTranslations|Badge|SocialLink|Carbon|Algolia)|DocSearch-(?!Button|Search-Icon)|vp-code-group|custom-block|shiki|vp-sponsor|vpi-social/i;

/** Removes their rules, which are a third of the bytes of the style sheet. */
export const withoutUnused = {
  postcssPlugin: 'without unused',
  Rule(rule: Rule): void {
    const used = rule.selectors.filter((selector) => !UNUSED.test(selector));
    if (used.length === 0) rule.remove();
    else if (used.length < rule.selectors.length) rule.selectors = used;
  },
};
