import { stem } from '../analysis/stem.ts';

/** Words that people use for one another when they look for a tool; each line is one meaning. */
const MEANINGS = `
ai llm gpt chatbot
airline flight airfare plane
alert notification notify
article blog post
audio sound voice speech
book reserve reservation booking
browser chrome chromium headless
bug issue ticket defect
buy purchase order shop shopping
calendar schedule meeting event appointment
car vehicle auto automobile
chart graph plot diagram visualize visualization
chat message dm
cook recipe meal dish
company business firm corporate
compute calculate calculator math arithmetic
container docker
convert conversion transform
crypto cryptocurrency coin bitcoin
crawl scrape spider harvest
csv spreadsheet excel xlsx sheet
currency fx forex
customer client crm
cv resume
database db sql
delete remove erase
deploy deployment release
directions route navigation navigate
doctor physician clinic
document doc docx word
download fetch
email mail inbox smtp gmail
employee staff hr
error exception crash
ethereum eth evm
exchange swap trade
fact verify check
film movie cinema
find search lookup query
flood earthquake disaster
geocode geolocation coordinates
home house property estate apartment rent
hotel accommodation lodging stay
image picture photo img
invoice bill receipt billing
job vacancy career hiring recruit
js javascript node
k8s kubernetes cluster
kids children
law legal lawyer attorney
learn study teach education course
log logs logging
map location place gis
medical medicine health clinical drug
memory remember recall
monitor monitoring observability uptime
music song playlist track
news headline press
note memo notebook
ocr scan recognize
password credential secret vault
pay payment checkout charge
pdf acrobat
people person contact
plant garden gardening
podcast episode
postgres postgresql pg
presentation slides powerpoint deck pptx
programming code coding developer
proofread grammar spelling
python py
question answer faq
quiz trivia
repo repository git
restaurant dining food
safety security vulnerability cve
screenshot capture snapshot
send deliver
shipping parcel package delivery courier
site website webpage web
sms text
social twitter tweet
stock equity share ticker
summarize summary summarise tldr digest
sports football soccer league
subtitle caption transcript transcribe
support helpdesk
task todo
tax vat
temperature weather forecast climate meteorology
test testing qa
train railway rail
translate translation translator interpreter
travel trip vacation holiday itinerary
university college school
video clip youtube
wiki wikipedia encyclopedia
workout fitness exercise
`;

const KIN = new Map<string, readonly string[]>();
for (const line of MEANINGS.trim().split('\n')) {
  const stems = [...new Set(line.split(' ').map(stem))];
  for (const each of stems) {
    const others = stems.filter((other) => other !== each);
    KIN.set(each, [...(KIN.get(each) ?? []), ...others]);
  }
}

/** Stems that may stand for a stem; none for most. */
export function synonymsOf(word: string): readonly string[] {
  return KIN.get(word) ?? [];
}
