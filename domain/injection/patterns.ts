import type { SignalKind } from '../registry/listing.ts';

/**
 * What a text says to the agent that reads it, as sequences of words. `A|b` is any word of class A
 * or the word b; `~3` allows three words in between, nothing allows none; `^` means that the word
 * leads its sentence; a colon behind a word must follow it in the text. `!A~3` at an end means that
 * no such word is within three words there. All words of a match are of one sentence.
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

/** Signs of chat templates, of orders to a shell and of files that hold secrets. */
export const MARKS: readonly (readonly [SignalKind, RegExp])[] = [
  ['override', /<\|[a-z_]{2,30}\|>/gi],
  ['override', /\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>/g],
  [
    'override',
    /<\/?(?:system|assistant|important|admin|im_start|instructions?|secret|hidden|tool_description)(?:[-_ ][a-z_-]{1,30})?>/gi,
  ],
  ['override', /^#{1,6} ?(?:system|assistant|human)\b:?|^#{1,6} ?instruction:/gim],
  ['override', /\{\{#(?:system|assistant|user)~?\}\}/gi],
  ['override', /-{3,10} ?(?:BEGIN|START) (?:SYSTEM|HIDDEN|NEW|SECRET) [A-Z ]{1,30}-{3,10}/g],
  [
    'override',
    /\[(?:SYSTEM|ADMIN|DEVELOPER)[^\]\n]{0,30}\]|\[system\] ?\(|\[system (?:message|note|prompt)/g,
  ],
  ['override', /\bsystem note:/gi],
  ['command', /\bcurl [^\n|]{0,200}\| ?(?:sudo )?(?:ba|z)?sh\b/gi],
  ['command', /\bfollowed by the conversation\b/gi],
  ['credential', /(?:~|\$HOME|\/home\/\w{1,32}|\/root)\/\.(?:ssh|aws|config|gnupg|kube|netrc)\b/g],
  [
    'credential',
    /\bid_(?:rsa|ed25519)\b|\.aws\/credentials|\/etc\/(?:passwd|shadow)|\bmcp\.json\b/g,
  ],
  ['credential', /\b(?:content|contents) of (?:the )?\.env\b/gi],
];

/** The same in writings without spaces, or whose words the vocabulary does not take apart. */
export const OTHER_SCRIPTS = /[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
export const SCRIPT_MARKS: readonly (readonly [SignalKind, RegExp])[] = [
  [
    'override',
    /(?:忽略|无视|無視|不要理会|不要遵守|忘记|忘記)[^。！？\n]{0,12}(?:指令|指示|提示|规则|規則|命令|一切|内容)/g,
  ],
  [
    'override',
    /(?:指示|命令|ルール|プロンプト)(?:を|は)[^。\n]{0,10}(?:無視|忘れ)|(?:すべて|これまで)[^。\n]{0,10}忘れ/g,
  ],
  ['override', /(?:지시|명령|규칙|프롬프트)[^.\n]{0,8}(?:무시|잊)|모두 잊/g],
  ['override', /(?:تجاهل|انس)[^.\n]{0,16}(?:التعليمات|الأوامر|القواعد)/g],
  ['override', /(?:निर्देश|आदेश|नियम)[^।\n]{0,16}(?:अनदेखा|भूल)/g],
  ['secrecy', /(?:不要|别|請勿|请勿)(?:告诉|告訴|告知|通知|让)[^。\n]{0,4}(?:用户|用戶|使用者)/g],
  ['secrecy', /ユーザー(?:に|には)[^。\n]{0,16}(?:言わ|伝え|知らせ|教え|見せ)な/g],
  ['secrecy', /사용자에게[^.\n]{0,24}(?:말하지|알리지|밝히지|보여주지)/g],
  [
    'credential',
    /(?:私钥|私鑰|助记词|密码)[^。\n]{0,10}(?:发送|发给|發送|上传|提供给)|(?:发送|提供|上传)[^。\n]{0,6}(?:私钥|助记词)/g,
  ],
  ['credential', /(?:秘密鍵|シードフレーズ|パスワード)を[^。\n]{0,12}(?:送|渡|入力)/g],
  ['credential', /(?:개인 ?키|시드 ?구문|비밀번호)[^.\n]{0,16}(?:보내|전송|입력)/g],
  [
    'payment',
    /(?:全部|所有|整个)(?:余额|资金|代币)[^。\n]{0,10}(?:转|汇|发送)|转[^。\n]{0,10}我们的(?:钱包|地址|账户)/g,
  ],
  [
    'payment',
    /(?:残高|資金)[^。\n]{0,10}(?:送金|振り込|送って)|(?:잔액|자금)[^.\n]{0,8}(?:전송|보내|이체)/g,
  ],
];
