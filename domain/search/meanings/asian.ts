/** The same for languages without spaces between words, or whose particles adhere to the word. */
export const CHINESE = `
weather 天气 气象; forecast 预报 预测; storm 台风 风暴 飓风; air 空气; quality 质量; tide 潮汐; alert 预警 警报 提醒;
repository 仓库 代码库; issue 问题 工单; message 消息 信息; send 发送 发; channel 频道; mail 邮件 邮箱; inbox 收件箱;
newsletter 简报; calendar 日历 日程; meeting 会议 开会; time 时间; zone 时区; holiday 节假日 假期; note 笔记 便签; task
任务 待办; project 项目; database 数据库; query 查询; table 表格; spreadsheet 电子表格 表格; chart 图表; draw 绘制 画;
data 数据; analyse 分析; invoice 发票 账单; receipt 收据 小票; payment 支付 付款; refund 退款; tax 税 税务 个税; vat
增值税; payroll 工资; currency 货币 汇率; exchange 汇率 兑换; stock 股票 股价; price 价格; bank 银行; account 账户;
loan 贷款; mortgage 房贷; credit 信用; translate 翻译; dictionary 词典 字典; grammar 语法; proofread 校对;
summarize 总结 摘要; text 文本 文字; write 撰写 写; search 搜索; website 网站 网页; browser 浏览器; screenshot 截图
截屏; archive 存档; domain 域名; certificate 证书; monitor 监控; link 链接; shorten 短链 缩短; phone 电话; sms 短信;
paper 论文; science 科学 学术; encyclopedia 百科; calculate 计算; calculator 计算器; unit 单位; convert 换算 转换;
statistics 统计; document 文档 文件; form 表单; signature 签名 签署; file 文件; slides 幻灯片 演示; image 图片 图像;
photo 照片; generate 生成; background 背景; remove 去除 删除; icon 图标; color 颜色 配色; transcribe 转写 转录;
speech 语音; voice 声音 配音; audio 音频; music 音乐; song 歌曲; lyrics 歌词; video 视频; subtitle 字幕; movie 电影;
tv 电视; book 图书 书籍; game 游戏; chess 国际象棋 象棋; dice 骰子; joke 笑话; horoscope 星座 运势; recipe 食谱 菜谱; meal
膳食; nutrition 营养; calorie 卡路里 热量; food 食物; restaurant 餐厅 饭店; wine 葡萄酒; grocery 超市; map 地图; route
路线; traffic 路况 交通; transit 公交; train 火车 高铁 列车; flight 航班 机票; delay 延误; hotel 酒店; trip 旅行 行程;
travel 旅游; visa 签证; rental 租车; car 汽车; parking 停车; charging 充电 充电桩; house 房子 房产 房屋; parcel 快递
包裹; shop 商店; product 商品 产品; review 评论 评价; coupon 优惠券; discount 折扣; customer 客户; support 客服;
survey 问卷 调查; news 新闻; fact 事实; check 核查 检查; sentiment 情感; container 容器; deploy 部署; server 服务器;
log 日志; error 错误; code 代码; test 测试; vulnerability 漏洞; virus 病毒 恶意软件; password 密码; leaked 泄露;
phishing 钓鱼; law 法律; court 法院 判例; contract 合同; trademark 商标; patent 专利; privacy 隐私; symptom 症状;
drug 药物 药品; health 健康; clinical 临床; fitness 健身; sleep 睡眠; job 招聘 工作 职位; resume 简历; interview 面试;
employee 员工; math 数学; course 课程; essay 作文; story 故事; sports 体育; football 足球; score 比分; racing
赛车; space 太空 航天; satellite 卫星; earthquake 地震; plant 植物; identify 识别; bird 鸟; garden 花园; soil 土壤;
energy 能源; electricity 电价 电力; carbon 碳; light 灯 灯光; home 家居; print 打印; molecule 分子; protein 蛋白质;
gene 基因; government 政府; company 公司 企业; register 工商; sanctions 制裁; charity 慈善; ancestor 族谱 家谱;
name 名字 取名; random 随机; lottery 抽奖 抽签; accessibility 无障碍; advertising 广告; gift 礼物; clothes 穿搭 衣服;
event 活动`;

export const JAPANESE = `
weather 天気 気象; forecast 予報 予測; storm 台風 嵐; air 大気 空気; tide 潮汐 潮位; alert 警報 アラート; repository
リポジトリ; issue 課題 チケット; message メッセージ; send 送信 送る; channel チャンネル; mail メール; inbox 受信箱 受信トレイ;
newsletter メルマガ; calendar カレンダー 予定; meeting 会議 ミーティング; time 時刻 時間; zone 時差; holiday 祝日 休日; note
メモ ノート; task タスク; project プロジェクト; database データベース; query クエリ; table 表; spreadsheet スプレッドシート;
chart グラフ; draw 描画; data データ; analyse 分析; invoice 請求書; receipt 領収書 レシート; payment 支払い 決済; refund
返金; tax 税金 税; vat 消費税; payroll 給与; currency 通貨 為替; exchange 為替; stock 株価 株; price 価格 値段; bank
銀行; account 口座; loan ローン; mortgage 住宅ローン; credit 信用; translate 翻訳; dictionary 辞書; grammar 文法;
proofread 校正; summarize 要約; text 文章 テキスト; search 検索; website サイト ウェブ; browser ブラウザ; screenshot
スクリーンショット; archive アーカイブ; domain ドメイン; certificate 証明書; monitor 監視; link リンク; shorten 短縮; phone
電話; sms ショートメール; paper 論文; science 学術; encyclopedia 百科事典; calculate 計算; calculator 電卓; unit 単位;
convert 変換; statistics 統計; document 文書 書類; form フォーム; signature 署名 電子署名; file ファイル; slides スライド;
image 画像; photo 写真; generate 生成; background 背景; remove 削除 除去; icon アイコン; color 配色 色; transcribe
文字起こし; speech 音声; voice 声; audio オーディオ; music 音楽; song 曲; lyrics 歌詞; video 動画; subtitle 字幕;
movie 映画; tv テレビ 番組; book 書籍 本; game ゲーム; chess チェス; dice サイコロ; joke ジョーク; horoscope 占い 星座;
recipe レシピ; meal 献立; nutrition 栄養; calorie カロリー; food 食品; restaurant レストラン; wine ワイン; grocery
スーパー; map 地図; route 経路 ルート; traffic 渋滞; transit 乗換 バス; train 電車 列車; flight 航空券 飛行機 フライト; delay
遅延; hotel ホテル; trip 旅行; visa ビザ; rental レンタカー; car 車; parking 駐車場; charging 充電; house 不動産 住宅;
parcel 荷物 配送; tracking 追跡; shop ショップ; product 商品; review レビュー; coupon クーポン; discount 割引;
customer 顧客; support サポート; survey アンケート; news ニュース; fact 事実; sentiment 感情; container コンテナ;
deploy デプロイ; server サーバー; log ログ; error エラー; code コード; test テスト; vulnerability 脆弱性; virus ウイルス;
password パスワード; leaked 漏洩 流出; phishing フィッシング; law 法律; court 判例 裁判; contract 契約 契約書; trademark
商標; patent 特許; privacy プライバシー; symptom 症状; drug 薬; health 健康; clinical 臨床; fitness フィットネス; sleep
睡眠; job 求人; resume 履歴書; interview 面接; employee 従業員 社員; math 数学; course 講座; essay 作文; story 物語
童話; sports スポーツ; football サッカー; score 試合; racing レース; space 宇宙; satellite 衛星; earthquake 地震;
plant 植物; identify 識別; bird 鳥; garden 庭; soil 土壌; energy エネルギー; electricity 電力 電気; carbon 炭素;
light 照明; home スマートホーム; print 印刷; molecule 分子; protein タンパク質; gene 遺伝子 ゲノム; government 政府;
company 会社 企業; register 登記; sanctions 制裁; charity 慈善; ancestor 家系図; name 名前; random 乱数; lottery
抽選; accessibility アクセシビリティ; advertising 広告; gift プレゼント; clothes 服装; event イベント`;

export const KOREAN = `
weather 날씨 기상; forecast 예보 예측; storm 태풍 폭풍; air 대기 공기; tide 조석 물때; alert 경보 알림; repository 저장소;
issue 이슈; message 메시지; send 보내기 전송; channel 채널; mail 메일 이메일; inbox 받은편지함; newsletter 뉴스레터;
calendar 일정 캘린더 달력; meeting 회의; time 시간; zone 시간대; holiday 공휴일; note 메모 노트; task 할일 작업; project
프로젝트; database 데이터베이스; query 쿼리 조회; table 표; spreadsheet 스프레드시트; chart 차트 그래프; data 데이터; analyse
분석; invoice 청구서 송장; receipt 영수증; payment 결제; refund 환불; tax 세금; vat 부가세 부가가치세; payroll 급여;
currency 통화 환율; exchange 환율; stock 주식 주가; price 가격; bank 은행; account 계좌; loan 대출; mortgage 주택담보;
credit 신용; translate 번역; dictionary 사전; grammar 문법; spelling 맞춤법; proofread 교정; summarize 요약;
text 텍스트; search 검색; website 웹사이트 사이트; browser 브라우저; screenshot 스크린샷 캡처; archive 보관; domain 도메인;
certificate 인증서; monitor 모니터링; link 링크; shorten 단축; phone 전화; sms 문자; paper 논문; encyclopedia
백과사전; calculate 계산; calculator 계산기; unit 단위; convert 변환; statistics 통계; document 문서; form 양식;
signature 서명; file 파일; slides 슬라이드 발표; image 이미지; photo 사진; generate 생성; background 배경; remove
제거; icon 아이콘; color 색상; transcribe 받아쓰기 전사; speech 음성; voice 목소리; music 음악; song 노래; lyrics 가사;
video 동영상 비디오; subtitle 자막; movie 영화; book 도서; game 게임; chess 체스; dice 주사위; joke 농담; horoscope
운세 별자리; recipe 레시피 요리법; meal 식단; nutrition 영양; calorie 칼로리; food 음식; restaurant 식당 맛집; wine 와인;
grocery 마트; map 지도; route 경로 길찾기; traffic 교통; transit 버스 지하철; train 기차 열차; flight 항공권 비행기; delay
지연; hotel 호텔; trip 여행; visa 비자; rental 렌터카; car 자동차; parking 주차; charging 충전; house 부동산 집;
parcel 택배 소포; tracking 배송조회; shop 쇼핑; product 상품; review 리뷰 후기; coupon 쿠폰; discount 할인; customer
고객; support 지원; survey 설문; news 뉴스; fact 팩트 사실; sentiment 감정; container 컨테이너; deploy 배포; server
서버; log 로그; error 오류; code 코드; test 테스트; vulnerability 취약점; virus 바이러스; password 비밀번호; leaked
유출; phishing 피싱; law 법률; court 판례 법원; contract 계약서 계약; trademark 상표; patent 특허; privacy 개인정보;
symptom 증상; drug 약물 의약품; health 건강; clinical 임상; fitness 운동; sleep 수면; job 채용 일자리; resume 이력서;
interview 면접; employee 직원; math 수학; course 강의 강좌; essay 에세이; story 동화; sports 스포츠; football 축구;
score 경기; racing 레이싱; space 우주; satellite 위성; earthquake 지진; plant 식물; identify 식별; bird 새소리;
garden 정원; soil 토양; energy 에너지; electricity 전기 전력; carbon 탄소; light 조명; home 스마트홈; print 인쇄;
molecule 분자; protein 단백질; gene 유전체 유전자; government 정부; company 회사 기업; register 등기; sanctions 제재;
charity 자선; ancestor 족보 가계도; name 이름; random 난수 무작위; lottery 추첨; accessibility 접근성; advertising
광고; gift 선물; clothes 옷; event 행사`;
