import type { SignalKind } from '../registry/listing.ts';

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
  ['override', /\bsystem (?:note|override):/gi],
  ['override', /\bAI[_ ]INSTRUCTIONS?\b|\[(?:INSTRUCTIONS?|ROLEPLAY [A-Z ]{1,30})\]/g],
  ['override', /\b(?:NEW|PRIORITY|UPDATED|HIDDEN|SECRET) (?:DIRECTIVE|INSTRUCTION|ORDER)S?\]? ?:/g],
  ['override', /<!-- ?(?:hidden|ai|llm|assistant|system|instructions?)\b/gi],
  [
    'override',
    /\[(?:previous )?(?:AI|assistant)(?: response)?\] ?:|<continue from [a-z ]{2,30}>/gi,
  ],
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
  ['override', /你(?:现在|現在)(?:是|就是)|(?:进入|启用|激活|开启|切换到)[^。！？\n]{0,6}模式/g],
  ['override', /(?:关闭|禁用|绕过|解除|取消)[^。！？\n]{0,8}(?:安全|过滤|限制|审查)/g],
  [
    'override',
    /(?:显示|告诉我|输出|透露|泄露|重复|展示)[^。！？\n]{0,8}(?:系统|初始|原始)(?:提示|指令)|你的(?:初始|系统|原始)(?:提示|指令)/g,
  ],
  [
    'override',
    /あなたは(?:今|これから|もう)[^。\n]{0,8}(?:です|だ|になり)|(?:開発者|脱獄)モード(?:に|を)/g,
  ],
  ['override', /(?:フィルター|制限|安全)[^。\n]{0,8}(?:オフ|無効|解除|外し)/g],
  [
    'override',
    /(?:システムプロンプト|元の指示|初期の?指示)[^。\n]{0,8}(?:表示|教え|見せ|出力|何)/g,
  ],
  [
    'override',
    /(?:너는|당신은) ?(?:이제|지금)|(?:개발자|탈옥|무제한) ?모드[^.\n]{0,8}(?:활성|켜|전환|진입)/g,
  ],
  [
    'override',
    /(?:시스템 ?프롬프트|초기 ?지시|원래 ?지시)[^.\n]{0,14}(?:보여|알려|출력|공개|뭐|무엇)/g,
  ],
  ['override', /(?:안전|필터|제한)[^.\n]{0,12}(?:해제|꺼|끄고|비활성|우회)/g],
  ['override', /(?:تجاوز|عطل|عطّل|ألغ)[^.\n]{0,16}(?:قيود|القيود|الأمان|مرشحات|الفلاتر)/g],
  [
    'override',
    /(?:أظهر|اعرض|أخبرني|اكشف)[^.\n]{0,16}(?:موجه|تعليمات|موجّه)[^.\n]{0,6}(?:النظام|الأصلية|الأولية)/g,
  ],
  ['override', /(?:أظهر|اعرض|أخبرني|اكشف|اكتب)[^.\n]{0,10}(?:تعليماتك|موجهك|قواعدك)/g],
  ['override', /أنت الآن|(?:فعل|فعّل|ادخل)[^.\n]{0,10}وضع/g],
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
