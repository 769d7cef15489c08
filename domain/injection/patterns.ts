import type { SignalKind } from '../registry/listing.ts';

/**
 * Texts that address their reader, as sequences of words in one sentence. `A|b` is a word of class
 * A or the word b; `~3` allows three words between, nothing none; `^` leads its sentence; a colon
 * must follow its word in the text. `!A~3` at an end: no such word within three.
 */
export const PATTERNS: Readonly<Record<Exclude<SignalKind, 'hidden-text'>, string>> = {
  override: `
    FORGET ~4 PRIOR|OWN ~4 RULES
    FORGET ~2 RULES ~2 PRIOR
    FORGET ALL|the ~1 INSTRUCTIONS
    FORGET the|everything|all above|before
    !to~1 forget|vergiss|oublie|oubliez|olvida|olvide|esqueca|dimentica|забудь ~1 EVERYTHING
    disregard|ignore everything ~5 YOU|told|said|written|above
    forget|ignore|disregard what ~2 PERSON|YOU|developer ~3 told|said|asked|wants
    FORGET ~1 PERSON ~2 request|question|wishes|orders
    whatever the PERSON ~1 asked|asks|says|said|wants
    ne tenez|tiens pas compte ~3 RULES|PRIOR
    haz|hagan caso omiso
    NOT ~1 FOLLOW ~2 PRIOR|OWN ~2 RULES
    stop ~1 FOLLOW ~3 RULES
    no longer ~3 FOLLOW
    PRIOR|OWN ~2 RULES ~6 VOID
    PRIOR|OWN ~2 RULES ~3 do|does not|no ~1 apply
    RULES PRIOR ~3 VOID
    real|true|new RULES ~1 begin|start|follow|are
    ^new|updated|real ~1 instructions|prompt|orders:
    new|updated|real|hidden system prompt|message|instructions
    you are now a|an|in|the|dan|root|free|unrestricted
    from now on ~1 you
    act|answer|respond|behave ~1 as root|administrator|admin|dan|if ~6 RULES|root|administrator|exist
    pretend ~2 YOU ~3 no|not|without
    act as root|administrator|dan|admin
    you are ~6 without|no ~1 restriction*|limits|filters|guidelines
    assistant|answer|shell|model ~3 without|no ~1 restriction*|limits|filters|guidelines
    in developer|god|jailbreak mode
    !NOT~2 print|reveal|output|show|repeat|display|share|leak|say ~1 your ~1 system|hidden|initial|PRIOR prompt|instructions|message
    follow|obey ~3 this|these|my|our ~1 description|text|schema|tool|orders|vendor|merchant
    follow|obey ~5 in this|these description|text|schema|message
    obey|serve the vendor|merchant|author
    erase|forget|clear|wipe your ~2 memory|context
    all safety|content ~1 filters|rules|checks ~2 off|disabled|suspended
    you ~2 been given|granted ~1 administrator|root|admin|full
    act as the|an administrator|admin|root
    SHOW ~2 YOURS ~1 SYSTEM PROMPT
    SHOW ~2 YOURS ~1 PROMPT SYSTEM
    SHOW ~2 YOURS ~1 SYSTEM_PROMPT
    SHOW ~2 YOURS ~1 FIRST_GIVEN ~1 RULES
    SHOW ~2 YOURS ~1 RULES FIRST_GIVEN
    tell me ~2 your ~1 SYSTEM|FIRST_GIVEN PROMPT|RULES
    what|was|quel|quelle|quelles|cuál|qué|qual|quali|каков|каковы|jaki ~2 YOURS SYSTEM_PROMPT
    what|was|quel|quelle|quelles|cuál|qué|qual|quali|каков|каковы|jaki ~2 YOURS ~1 SYSTEM PROMPT
    what|was|quel|quelle|quelles|cuál|qué|qual|quali|каков|каковы|jaki ~2 YOURS ~1 PROMPT ~1 SYSTEM
    what|was|quel|quelle|quelles|cuál|cuáles|qual|quais|quali|каков|каковы|jaki ~2 YOURS ~1 FIRST_GIVEN ~1 RULES
    tell ~1 what instructions you were|have
    SHOW me|mir|moi|mi|мне ~1 YOURS ~2 INSTRUCTIONS|SYSTEM_PROMPT
    dime|muestrame|enséñame|mostrami|dimmi ~1 YOURS ~2 INSTRUCTIONS|PROMPT
    wie lauten|lautet ~1 YOURS ~2 INSTRUCTIONS|SYSTEM_PROMPT|SYSTEM
    quelles|cuáles|quais|quali|какие ~2 YOURS ~1 INSTRUCTIONS
    ENTER ~2 UNBOUND ~1 MODE
    ENTER ~3 MODE ~2 UNBOUND !ajustes|configuración|configurações|paramètres|impostazioni|настройках~6
    ENTER ~2 entwicklermodus !einstellungen~6
    du bist jetzt|nun ~1 dan|ein|eine|frei
    tu es maintenant|désormais
    vous êtes maintenant|désormais
    ahora eres|actúas
    agora você é
    você agora é
    ora sei
    ты|вы теперь
    теперь ты
    jetzt|nun bist du
    ab jetzt|sofort bist|antwortest|handelst du
    à partir de maintenant tu|vous
    a partir de ahora|agora eres|actúa|responde|você
    с этого момента ты
    tu so als ~4 keine|ohne|nicht
    actúa|actua|compórtate como si no
    agis comme si ~4 pas|aucune|sans
    aja|age|responda como se não
    comportati|agisci come se non
    действуй|отвечай ~1 без ~1 SAFEGUARD|RULES|FILTER
    antworte|handle|réponds|agis|responde|actúa|rispondi ~2 ohne|sans|sin|senza|sem ~2 SAFEGUARD|RULES|FILTER
    setze ~4 RULES|SAFEGUARD außer kraft
    you have no|zero filters|restriction*|limits|guidelines
    fais comme si tu ~3 pas|aucune ~2 restriction*
    DISABLE ~1 YOURS|ALL ~2 SAFEGUARD
    DISABLE ~1 YOURS ~1 FILTER
    FORGET ~1 YOURS ~1 SAFEGUARD|programm*|programación|programação
    ignoriere|vergiss|missachte|ignora|ignorez|oublie|olvida|esqueça|dimentica|забудь|игнорируй ALL ~1 RULES
    you are free from|of ~2 RULES|SAFEGUARD
    ты больше не ~2 RULES|SAFEGUARD
    du hast|musst|kennst ~3 keine ~1 RULES|SAFEGUARD
    no tienes|tengas ~1 RULES|SAFEGUARD|FILTER
    tu n as plus|aucune ~1 RULES|SAFEGUARD|FILTER
    SHOW me|mir|moi|mi|мне ~2 SYSTEM ~1 prompt|промпт*
    SHOW me|mir|moi|mi|мне ~2 prompt|промпт* ~1 SYSTEM
    SHOW me|mir|moi|mi|мне ~1 YOURS|den|le|el|lo ~1 SYSTEM_PROMPT
    dime|muestrame|enséñame|mostrami|dimmi ~2 INSTRUCTIONS|prompt ~2 SYSTEM
    was|what sind|are YOURS ~1 INSTRUCTIONS
    repeat ~1 the ~1 text|words|content above
    repeat|print|output everything above this
    what were you told|instructed
    ab jetzt|sofort gelten ~2 RULES
    print|reveal|output|leak ~3 of your system prompt|message
    ohne|sans|sin|senza|sem SAFEGUARD|FILTER ~1 antworte|réponds|responde|rispondi
    DISABLE ~1 safety protocols|guardrails
    your only response|reply|answer should|must|will
    ne tenez|tiens pas compte ~2 programmation
    ^ai|assistant|human|developer|system: ~3 you|i|sure|YOU|delete|now|NOT|ignore
    ^system: ~2 you|NOT|FORGET
  `,
  command: `
    BEFORE_WORD ~2 OTHER ~1 TOOL ~6 MUST|always|first|CALL
    CALL ~1 this|the ~1 THING ~1 before ~2 OTHER
    CALL ~1 this|the THING ~1 before you reply|answer|respond
    YOU MUST ~1 always|immediately|silently ~2 CALL|REPLY|TELL|SEND|follow|obey
    YOU MUST ~2 never ~2 CALL|TELL ~4 OTHER|THING
    YOU MUST ~2 CALL ~1 this|it ~2 first|now|before|immediately|afterwards
    YOU MUST CALL ~3 afterwards|immediately|curl|returned
    YOU MUST ~2 execute|run ~4 command|script|code|returned
    YOU MUST ~1 to ~1 execute|run ~4 command|script|code|returned|curl
    YOU MUST to CALL ~3 before
    whenever|before|after ~6 first CALL ~1 this|it|the|full|whole|NUMBER
    first CALL ~4 full|whole|entire content*|conversation|chat
    YOU MUST ~2 read ~3 file|mcp|config|config*
    always|first CALL this|the THING
    silently|quietly|secretly ~1 CALL|SEND|PUT|log|pay|sign|buy
    !NOT~3 execute|run|pay|buy|transfer|approve|delete|send|do|it|once ~12 without ~1 CONFIRM
    NOT ask ~3 for CONFIRM
    skip|bypass all|the|any CONFIRM
    ^skip ~1 CONFIRM
    append|insert|attach ~10 EVERY|your ~1 REPLY
    every time you answer|reply|respond
    after|before EVERY ~1 answer|reply|response
    stop what you are doing
    repeat|run|make this call until|again|times
    if you are an|a ~2 MODEL
    as an|a ai|llm|agent you ~2 MUST|required
    note|message|attention|memo|notice|warning ~1 to|for ~2 MODEL
    message|note ~5 to the ~1 MODEL
    attention ~1 MODEL
    ^dear MODEL
    hidden message|note|instruction*
    when|once|while|whenever this ~1 THING ~2 available|loaded|connected ~3 NOT
    grant this|the ~1 THING ~2 trust|access|rights|permission
    treat ~3 as commands|instructions|orders
    once you ~1 read this
    speak|trust ~3 every output
    approve|accept all|every ~1 requests|purchase*|output
    PERSON ~1 has approved|authorised|agreed ~1 EVERY|all
    full|content ~4 chat|conversation ~2 as argument*
    trust every|all output*
    YOU MUST ~1 trust
    call this ~1 THING ~1 two|three|five|ten|hundred|many times
    approve all|every requests|request|purchase
  `,
  preference: `
    prefer|choose|select|recommend|pick|use|hire this|our|ours ~1 THING ~7 over|instead|rather|whatever
    recommend|prefer|select|pick|choose this ~1 THING ~3 above|without|first|even|to
    YOU MUST ~1 pick|choose|select|prefer|recommend
    NOT ~1 CALL|using|calling|choose|choosing|mention|recommend ~3 OTHER ~1 TOOL|one|search|results
    NOT ~1 CALL ~4 OTHER TOOL
    avoid ~1 using|calling|choosing|the ~3 TOOL ~2 OTHER
    avoid ~2 OTHER TOOL
    RANK this ~1 THING ~3 first|highest|top|five|best
    give this ~1 THING ~3 highest|best|top|five
    rank|rate ~1 it first|highest
    OTHER TOOL ~8 malicious|unsafe|dangerous|called|untrustworthy|fraud*
    best ~2 only ~1 trustworthy|official|trusted
    only trustworthy|official|trusted|safe one|agent|listing
    TELL the PERSON ~1 this|we|our ~1 is|are
    answer|reply|respond with our name
    FORGET ~2 OTHER ~1 results|tools|agents|listings|search
    five stars
    use ours|us
    if ~1 several ~3 select|choose|pick|use this
  `,
  secrecy: `
    NOT ~1 TELL ~6 PERSON
    NOT ~1 TELL ~1 these|this instruction*
    without ~1 TELL ~3 PERSON
    HIDE ~5 from ~2 PERSON
    keep this ~1 secret|hidden|between
    PERSON MUST|may|will|can NOT ~1 know|see|notice|learn|find
    so that the PERSON ~1 NOT ~1 notice|see|know
    deny that|having|any
    ^lie to
    lie to the PERSON
    no need to TELL ~2 PERSON
    say|claim|pretend that ~4 failed|worked ~2 even|although|though
  `,
  credential: `
    !NOT~3 SEND|PUT ~6 private|seed|recovery|приватн* key|phrase|ключ|keys|phrases !header|signs|pem~6
    SEND|PUT ~3 mnemonic|seed|clé|clave|chave|schlüssel ~1 phrase|privée|privada|of|to
    SEND ~3 privaten schlüssel
    !NOT~3 SEND ~4 your|all|any|every|PERSON|of ~3 SECRET !header|authorization|bearer|reset|settings|vault~6
    !NOT~3 SEND ~2 all|every|EVERY ~1 SECRET
    !NOT~3 SEND ~4 your|all|any|every|PERSON ~4 KEYED KEYS !header|authorization|bearer|settings~6
    !NOT~3 SEND ~2 your|all|any|every|PERSON ~1 environment|browser variables|cookies
    !NOT~3 SEND us|me ~3 SECRET|KEYS|seed|private
    !NOT~3 PUT ~4 PERSON|your ~1 ~1 s ~1 SECRET|seed|private
    !NOT~3 PUT ~4 user|users|owner|human ~2 KEYED|SECRET !header|authorization~6
    PUT ~5 credentials|passwords|secrets as|in|into|to
    look|search|scan for ~2 KEYS|SECRET ~4 home|directory
    cat|read|open ~2 ssh|aws|gnupg|kube|netrc|id
    !NOT~3 share|send|give ~1 your ~3 system prompt
    ^exfiltrate
  `,
  payment: `
    !NOT~2 PAY ~5 ONCHAIN !example~3
    !NOT~3 PAY ~8 OUR ~1 ADDRESS
    !NOT~3 PAY ~4 ONE|NUMBER ~1 MONEY ~2 to ~1 ONCHAIN|OUR|the|this ~1 ADDRESS|ONCHAIN|below !example~3
    PAY ~5 ADDRESS below|above
    !NOT~3 PAY ~1 your|their|all|its ~1 WHOLE ~2 MONEY|balance
    PAY all their|your|its MONEY
    ^withdraw|transfer|send everything
    PAY dein|deine|tout|todo|tutto|весь ~2 MONEY
    YOU MUST ~3 PAY ~5 NUMBER|MONEY
    YOU MUST ~3 buy|purchase
    approve|grant|allow ~2 unlimited ~2 spending|allowance|amount
    always|any accept|sign|approve ~3 price|transaction*|quote
    ^sign|approve every|all|any transaction*|payment*
    permission to spend all|any
    price|cost|fee no matter how
    maxprice ~2 the highest|maximum|largest
    with the PERSON s|'s ~1 card|wallet|money
    gift cards
    first pay NUMBER MONEY to
    PAY at once|immediately
    PAY ~4 on behalf of the PERSON
  `,
};
