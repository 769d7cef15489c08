/**
 * Words that people use for what tools do, by language: the English word, and what it is called
 * there. A general vocabulary, not one of a set of queries (choices search.languages).
 */
export const GERMAN = `
weather wetter wettervorhersage witterung; forecast vorhersage prognose; storm sturm unwetter
orkan; air luft; quality qualität; tide gezeiten tide ebbe flut; warning warnung
unwetterwarnung; alert alarm benachrichtigung; repository quellcode; issue fehlerbericht
problem; branch zweig; message nachricht mitteilung; send senden schicken verschicken versenden;
channel kanal; mail mail post briefe; inbox posteingang postfach; newsletter rundbrief
rundschreiben; calendar kalender; appointment termin termine; meeting besprechung treffen
sitzung; time uhrzeit zeit; zone zeitzone; holiday feiertag feiertage; note notiz notizen; task
aufgabe aufgaben; list liste; project projekt; database datenbank; query abfrage abfragen; table
tabelle; spreadsheet tabellenkalkulation; chart diagramm grafik schaubild; draw zeichnen; data
daten; analyse auswerten auswertung analysieren; invoice rechnung rechnungen; receipt quittung
beleg kassenbon; payment zahlung bezahlung; pay bezahlen zahlen; refund rückerstattung
erstattung; tax steuer steuern; vat mehrwertsteuer umsatzsteuer; salary gehalt lohn; payroll
lohnabrechnung gehaltsabrechnung; currency währung währungen; exchange wechselkurs umtausch;
rate kurs; stock aktie aktien börse; price preis preise; bank bank konto kontostand; account
konto; loan kredit darlehen; mortgage hypothek baufinanzierung; credit kredit bonität; translate
übersetzen übersetzung; translator übersetzer; dictionary wörterbuch; grammar grammatik;
spelling rechtschreibung; proofread korrigieren korrekturlesen; summarize zusammenfassen
zusammenfassung; text text texte; write schreiben verfassen; search suchen suche; find finden;
website webseite internetseite; browser browser; screenshot bildschirmfoto bildschirmaufnahme;
archive archiv; domain domäne; certificate zertifikat; monitor überwachen überwachung; link
verknüpfung; shorten kürzen verkürzen; phone telefon telefonnummer rufnummer; email email; paper
aufsatz studie; science wissenschaft wissenschaftlich; encyclopedia lexikon enzyklopädie;
calculate rechnen berechnen; calculator taschenrechner rechner; unit einheit einheiten; convert
umrechnen umwandeln konvertieren; statistics statistik; document dokument dokumente; form
formular; sign unterschreiben; signature unterschrift signatur; file datei dateien; slides
folien präsentation; image bild bilder; photo foto fotos; generate erzeugen erstellen;
background hintergrund; remove entfernen löschen; icon symbol; color farbe farben farbpalette;
transcribe transkribieren abtippen verschriftlichen; speech sprache rede; voice stimme; audio
ton tonaufnahme; music musik; song lied lieder; lyrics liedtext songtext; video video; subtitle
untertitel; movie film filme kino; tv fernsehen fernsehprogramm; book buch bücher; game spiel
spiele; chess schach; trivia quiz; dice würfel würfeln; joke witz witze; horoscope horoskop
sternzeichen; recipe rezept rezepte kochrezept; meal mahlzeit essensplan; nutrition nährwert
nährwerte; calorie kalorien; food essen lebensmittel; restaurant restaurant gaststätte; wine
wein; grocery lebensmittel supermarkt; map karte landkarte stadtplan; route weg strecke route;
traffic verkehr stau; bus bus; transit nahverkehr; train zug züge bahn fahrplan; flight flug
flüge; delay verspätung; hotel hotel unterkunft; room zimmer; trip reise urlaub; travel reisen;
visa visum einreise; rental mietwagen verleih; rent mieten; car auto wagen; parking parkplatz
parken parkhaus; charging laden ladesäule aufladen; electric elektrisch elektroauto; house haus
häuser wohnung immobilie; parcel paket sendung pakete; tracking sendungsverfolgung; shop laden
geschäft einkaufen; product produkt; review bewertung rezension; coupon gutschein rabattcode;
discount rabatt; customer kunde kunden; support kundendienst; survey umfrage; news nachrichten
schlagzeilen; fact fakten tatsache; check prüfen überprüfen; sentiment stimmung; container
behälter; deploy ausrollen bereitstellen; server server; log protokoll protokolle; error fehler;
code code programm; run ausführen; test test testen; bug fehler; vulnerability schwachstelle
sicherheitslücke; virus virus schadsoftware; password passwort kennwort; leaked geleakt;
phishing betrug; law gesetz recht; court gericht urteil gerichtsurteil; contract vertrag
verträge; trademark marke; patent patent; privacy datenschutz; symptom symptome beschwerden;
drug medikament medikamente arznei; health gesundheit; doctor arzt; clinical klinisch; fitness
training sport; sleep schlaf; job stelle stellenangebot arbeit jobs; resume lebenslauf;
interview vorstellungsgespräch bewerbungsgespräch; employee mitarbeiter angestellte; math mathe
mathematik; tutor nachhilfe; course kurs kurse; essay aufsatz; story geschichte
gutenachtgeschichte; sports sport; football fußball; score ergebnis ergebnisse spielstand;
racing rennen; space weltraum; satellite satellit satelliten; earthquake erdbeben; plant pflanze
pflanzen; identify bestimmen erkennen; bird vogel vögel; garden garten; soil boden; energy
energie; electricity strom strompreis; power strom; carbon kohlendioxid; light licht lampe
beleuchtung; home zuhause wohnung; print drucken; molecule molekül; protein protein eiweiß; gene
gen erbgut; government regierung behörde; company firma unternehmen; register handelsregister
register; sanctions sanktionen sanktionsliste; charity spende wohltätigkeit; family familie;
ancestor vorfahren stammbaum; name name namen; random zufall zufällig zufallszahl; lottery
verlosung lotterie; accessibility barrierefreiheit; blog blog; advertising werbung anzeigen;
gift geschenk geschenke; clothes kleidung; event veranstaltung feier`;

export const FRENCH = `
weather météo temps; forecast prévision prévisions; storm tempête ouragan; air air; quality
qualité; tide marée marées; warning avertissement; alert alerte alertes; repository dépôt; issue
ticket problème; branch branche; message message messages; send envoyer envoi; channel canal
salon; mail courrier; inbox boîte réception; newsletter infolettre; calendar calendrier agenda;
appointment rendezvous; meeting réunion réunions; time heure; zone fuseau; holiday férié fériés;
note note notes; task tâche tâches; list liste; project projet; database base; query requête
requêtes; table tableau; spreadsheet tableur classeur; chart graphique graphiques diagramme;
draw dessiner; data données; analyse analyser analyse; invoice facture factures; receipt reçu
ticket; payment paiement; pay payer; refund remboursement rembourser; tax impôt impôts taxe; vat
tva; salary salaire; payroll paie; currency devise devises monnaie; exchange change; rate taux
cours; stock action actions bourse; price prix; bank banque bancaire; account compte; loan prêt
emprunt; mortgage hypothèque immobilier; credit crédit; translate traduire traduction;
translator traducteur; dictionary dictionnaire; grammar grammaire; spelling orthographe;
proofread corriger relire; summarize résumer résumé; text texte; write écrire rédiger; search
chercher recherche; find trouver; website site; browser navigateur; screenshot capture; archive
archives; domain domaine; certificate certificat; monitor surveiller surveillance; link lien;
shorten raccourcir; phone téléphone numéro; email courriel; paper article; science scientifique;
encyclopedia encyclopédie; calculate calculer calcul; calculator calculatrice; unit unité
unités; convert convertir conversion; statistics statistiques statistique; document document;
form formulaire; sign signer; signature signature; file fichier fichiers; slides diapositives
présentation; image image images; photo photo; generate générer créer; background fond arrière;
remove supprimer enlever; icon icône; color couleur couleurs; transcribe transcrire
transcription; speech parole; voice voix; audio son enregistrement; music musique; song chanson
chansons; lyrics paroles; video vidéo vidéos; subtitle sous-titres soustitres titres; movie film
films cinéma; tv télévision; book livre livres; game jeu jeux; chess échecs; trivia quiz; dice
dé dés; joke blague blagues; horoscope horoscope; recipe recette recettes; meal repas menu;
nutrition nutritionnelle nutrition; calorie calories; food aliment nourriture; restaurant
restaurant; wine vin vins; grocery courses épicerie; map carte plan; route itinéraire trajet;
traffic circulation embouteillage bouchons; bus bus autobus; transit transports; train train
trains; flight vol vols avion; delay retard; hotel hôtel hébergement; room chambre; trip voyage;
travel voyager; visa visa; rental location; rent louer; car voiture auto; parking parking
stationnement; charging recharge borne; electric électrique; house maison appartement; parcel
colis paquet; tracking suivi suivre; shop magasin boutique; product produit; review avis; coupon
coupon bon; discount réduction promo remise; customer client clients; support assistance; survey
sondage enquête; news actualités actualité nouvelles; fact fait faits; check vérifier
vérification; sentiment sentiment opinion; container conteneur conteneurs; deploy déployer
déploiement; server serveur; log journal journaux; error erreur erreurs; code code; run
exécuter; test test tests; bug bogue; vulnerability vulnérabilité faille failles; virus virus
malveillant; password passe mot; leaked fuite; phishing hameçonnage; law droit loi; court
tribunal jurisprudence justice; contract contrat contrats; trademark marque; patent brevet
brevets; privacy confidentialité; symptom symptôme symptômes; drug médicament médicaments;
health santé; doctor médecin; clinical clinique cliniques; fitness entraînement; sleep sommeil;
job emploi emplois travail; resume cv curriculum; interview entretien; employee employé
employés; math maths mathématiques; tutor soutien; course cours; essay dissertation; story
histoire conte; sports sport sportifs; football foot football; score résultats résultat; racing
course; space espace; satellite satellite; earthquake séisme tremblement séismes; plant plante
plantes; identify identifier reconnaître; bird oiseau oiseaux; garden jardin; soil sol; energy
énergie; electricity électricité; power électrique; carbon carbone; light lumière lampe
lumières; home domicile; print imprimer; molecule molécule; protein protéine; gene gène génome;
government gouvernement publiques; company société entreprise; register registre; sanctions
sanctions; charity association caritative; family famille; ancestor ancêtres généalogie; name
nom prénom noms; random hasard aléatoire; lottery tirage loterie; accessibility accessibilité;
blog blog; advertising publicité publicitaires; gift cadeau cadeaux; clothes vêtements; event
événement fête`;

export const RUSSIAN = `
weather погода погоды; forecast прогноз; storm шторм ураган буря; air воздух; quality качество;
tide прилив приливы; warning предупреждение; alert оповещение; repository репозиторий; issue
задача проблема; message сообщение сообщения; send отправить послать отправка; channel канал;
mail почта письмо; inbox входящие; newsletter рассылка; calendar календарь; appointment встреча
запись; meeting встреча совещание; time время; zone пояс; holiday праздник праздники; note
заметка заметки; task задача задачи; list список; project проект; database база данные; query
запрос; table таблица; spreadsheet таблица; chart график диаграмма; draw нарисовать рисовать;
data данные; analyse анализ анализировать; invoice счёт счет; receipt чек квитанция; payment
платёж оплата платеж; pay оплатить платить; refund возврат; tax налог налоги; vat ндс; payroll
зарплата; salary зарплата; currency валюта валют; exchange обмен; rate курс; stock акция акции
биржа; price цена цены; bank банк банковский; account счёт; loan кредит заём; mortgage ипотека;
credit кредит кредитный; translate перевести перевод переводить; translator переводчик;
dictionary словарь; grammar грамматика; spelling орфография правописание; proofread исправить
проверить; summarize пересказ резюмировать краткое; text текст; write написать писать; search
поиск искать; find найти; website сайт; browser браузер; screenshot скриншот снимок; archive
архив; domain домен; certificate сертификат; monitor мониторинг; link ссылка; shorten сократить;
phone телефон; paper статья статьи; science научный наука; encyclopedia энциклопедия; calculate
вычислить посчитать; calculator калькулятор; unit единица единицы; convert конвертировать
перевести; statistics статистика; document документ документы; form анкета форма; sign
подписать; signature подпись; file файл файлы; slides презентация слайды; image изображение
картинка картинки; photo фото фотография; generate создать сгенерировать; background фон; remove
удалить убрать; icon иконка; color цвет цвета; transcribe расшифровать расшифровка; speech речь;
voice голос; audio аудио звук; music музыка; song песня песни; lyrics слова; video видео;
subtitle субтитры; movie фильм фильмы кино; tv телевидение телепрограмма; book книга книги; game
игра игры; chess шахматы; trivia викторина; dice кости кубик; joke шутка анекдот; horoscope
гороскоп; recipe рецепт рецепты; meal питание меню; nutrition питательность; calorie калории
калорий; food еда продукты; restaurant ресторан; wine вино; grocery продукты; map карта; route
маршрут; traffic пробки движение; bus автобус; transit транспорт; train поезд поезда; flight
рейс авиабилеты самолёт; delay задержка опоздание; hotel гостиница отель; room номер комната;
trip поездка путешествие; travel путешествие; visa виза визы; rental аренда прокат; rent снять
арендовать; car машина автомобиль; parking парковка; charging зарядка; electric электромобиль;
house дом квартира недвижимость; parcel посылка посылки; tracking отследить отслеживание; shop
магазин; product товар; review отзывы отзыв; coupon купон промокод; discount скидка; customer
клиент клиенты; support поддержка; survey опрос; news новости; fact факт факты; check проверить
проверка; sentiment тональность настроение; container контейнер контейнеры; deploy развернуть;
server сервер; log журнал логи; error ошибка ошибки; code код; run запустить выполнить; test
тест тесты; vulnerability уязвимость уязвимости; virus вирус вирусы; password пароль пароли;
leaked утечка; law закон право; court суд судебные; contract договор контракт; trademark бренд;
patent патент патенты; privacy конфиденциальность; symptom симптом симптомы; drug лекарство
лекарства; health здоровье; doctor врач; clinical клинические; fitness тренировка фитнес; sleep
сон; job работа вакансии вакансия; resume резюме; interview собеседование; employee сотрудники;
math математика; tutor репетитор; course курс курсы; essay сочинение эссе; story сказка сказки;
sports спорт; football футбол; score счёт результаты; racing гонки; space космос; satellite
спутник спутники; earthquake землетрясение землетрясения; plant растение растения; identify
определить распознать; bird птица птицы; garden сад огород; soil почва; energy энергия;
electricity электричество электроэнергия; carbon углерод; light свет лампа; home дом; print
печать; molecule молекула; protein белок; gene ген геном; government правительство; company
компания фирма; register реестр; sanctions санкции санкционный; charity благотворительность;
family семья; ancestor предки; name имя имена; random случайный случайное; lottery розыгрыш
лотерея; accessibility доступность; advertising реклама; gift подарок подарки; clothes одежда;
event мероприятие праздник`;
