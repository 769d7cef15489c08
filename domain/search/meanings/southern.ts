/** The same for languages of the south of Europe. */
export const SPANISH = `
weather clima tiempo meteorológico; forecast pronóstico previsión; storm tormenta huracán; air
aire; quality calidad; tide marea mareas; warning aviso; alert alerta alertas; repository
repositorio; issue incidencia; branch rama; message mensaje mensajes; send enviar mandar envío;
channel canal; mail correo; inbox bandeja buzón; newsletter boletín; calendar calendario agenda;
appointment cita; meeting reunión reuniones; time hora; zone horaria huso; holiday festivo
festivos feriado; note nota notas; task tarea tareas; list lista; project proyecto; database
datos base; query consulta consultar; table tabla; spreadsheet cálculo hoja; chart gráfico
gráfica; draw dibujar; data datos; analyse analizar análisis; invoice factura facturas; receipt
recibo; payment pago; pay pagar; refund reembolso devolución; tax impuesto impuestos; vat iva;
salary salario sueldo; payroll nómina; currency moneda divisa divisas; exchange cambio; rate
tasa; stock acciones bolsa acción; price precio precios; bank banco bancaria; account cuenta;
loan préstamo; mortgage hipoteca; credit crédito; translate traducir traducción; translator
traductor; dictionary diccionario; grammar gramática; spelling ortografía; proofread corregir;
summarize resumir resumen; text texto textos; write escribir redactar; search buscar búsqueda;
find encontrar; website web sitio página; browser navegador; screenshot captura pantalla;
archive archivo; domain dominio; certificate certificado; monitor vigilar supervisar; link
enlace; shorten acortar; phone teléfono; email correo; paper artículo; science científico
científicos; encyclopedia enciclopedia; calculate calcular cálculo; calculator calculadora; unit
unidad unidades; convert convertir conversión; statistics estadística estadísticas; document
documento documentos; form formulario; sign firmar; signature firma; file fichero archivo;
slides diapositivas presentación; image imagen imágenes; photo foto fotos; generate generar
crear; background fondo; remove quitar eliminar borrar; icon icono; color color colores;
transcribe transcribir transcripción; speech habla; voice voz; audio audio grabación; music
música; song canción canciones; lyrics letra; video vídeo; subtitle subtítulos subtítulo; movie
película películas cine; tv televisión; book libro libros; game juego juegos; chess ajedrez;
trivia preguntas; dice dado dados; joke chiste chistes; horoscope horóscopo; recipe receta
recetas; meal comida menú; nutrition nutricional; calorie calorías; food alimento alimentos;
restaurant restaurante; wine vino vinos; grocery compra supermercado; map mapa; route ruta
camino; traffic tráfico; bus autobús; transit transporte; train tren trenes; flight vuelo
vuelos; delay retraso; hotel hotel alojamiento; room habitación; trip viaje; travel viajar; visa
visado; rental alquiler; rent alquilar; car coche auto; parking aparcamiento estacionamiento
aparcar; charging carga cargador; electric eléctrico; house casa piso vivienda; parcel paquete
envío; tracking seguimiento rastrear; shop tienda; product producto; review reseña reseñas
opiniones; coupon cupón cupones; discount descuento; customer cliente clientes; support soporte;
survey encuesta; news noticias titulares; fact hecho hechos; check comprobar verificar;
sentiment sentimiento; container contenedor contenedores; deploy desplegar despliegue; server
servidor; log registros; error error; code código; run ejecutar; test prueba pruebas;
vulnerability vulnerabilidad vulnerabilidades; virus virus; password contraseña contraseñas;
leaked filtrada filtradas; phishing estafa; law ley legal; court tribunal sentencias juzgado;
contract contrato; trademark marca marcas; patent patente patentes; privacy privacidad; symptom
síntoma síntomas; drug medicamento medicamentos fármaco; health salud; doctor médico; clinical
clínico clínicos; fitness ejercicio entrenamiento; sleep sueño; job empleo trabajo empleos;
resume currículum; interview entrevista; employee empleado empleados; math matemáticas; tutor
profesor; course curso cursos; essay ensayo redacción; story cuento cuentos; sports deporte
deportes; football fútbol; score resultado resultados; racing carreras; space espacio; satellite
satélite; earthquake terremoto sismo terremotos; plant planta plantas; identify identificar;
bird pájaro aves pájaros; garden jardín huerto; soil suelo; energy energía; electricity
electricidad luz; carbon carbono; light luz luces; home casa hogar; print imprimir; molecule
molécula; protein proteína; gene gen genoma; government gobierno; company empresa sociedad;
register registro; sanctions sanciones; charity benéfica; family familia; ancestor antepasados
genealógico; name nombre nombres; random aleatorio azar; lottery sorteo lotería; accessibility
accesibilidad; advertising publicidad anuncios; gift regalo regalos; clothes ropa; event evento
fiesta`;

export const ITALIAN = `
weather meteo tempo; forecast previsioni previsione; storm tempesta uragano; air aria; quality
qualità; tide marea maree; warning avviso; alert allerta; repository repository; issue
segnalazione; message messaggio messaggi; send inviare mandare spedire; channel canale; mail
posta; inbox casella; newsletter notiziario; calendar calendario; appointment appuntamento;
meeting riunione; time ora orario; zone fuso; holiday festività festivi; note nota appunti; task
attività compito; list lista elenco; project progetto; database dati database; query
interrogare; table tabella; spreadsheet foglio calcolo; chart grafico grafici; draw disegnare;
data dati; analyse analizzare analisi; invoice fattura fatture; receipt scontrino ricevuta;
payment pagamento; pay pagare; refund rimborso; tax tasse imposte tassa; vat iva; payroll paga
stipendi; salary stipendio; currency valuta moneta; exchange cambio; rate tasso; stock azioni
borsa azione; price prezzo prezzi; bank banca; account conto; loan prestito; mortgage mutuo;
credit credito; translate tradurre traduzione; translator traduttore; dictionary dizionario;
grammar grammatica; spelling ortografia; proofread correggere; summarize riassumere riassunto;
text testo; write scrivere; search cercare ricerca; find trovare; website sito; browser browser;
screenshot schermata; archive archivio; domain dominio; certificate certificato; monitor
monitorare; link collegamento; shorten accorciare; phone telefono; paper articoli; science
scientifici scientifico; encyclopedia enciclopedia; calculate calcolare calcolo; calculator
calcolatrice; unit unità misura; convert convertire conversione; statistics statistica
statistiche; document documento documenti; form modulo; sign firmare; signature firma; file
file; slides diapositive presentazione; image immagine immagini; photo foto; generate generare
creare; background sfondo; remove rimuovere togliere; icon icona; color colore colori;
transcribe trascrivere trascrizione; speech parlato; voice voce; audio audio registrazione;
music musica; song canzone canzoni; lyrics testi; video video; subtitle sottotitoli; movie film
cinema; tv televisione; book libro libri; game gioco giochi; chess scacchi; dice dado dadi; joke
barzelletta barzellette; horoscope oroscopo; recipe ricetta ricette; meal pasto pasti; nutrition
nutrizionali; calorie calorie; food cibo alimenti; restaurant ristorante; wine vino; grocery
spesa supermercato; map mappa cartina; route percorso strada; traffic traffico; bus autobus;
transit trasporti; train treno treni; flight volo voli; delay ritardo; hotel albergo; room
camera; trip viaggio; travel viaggiare; visa visto; rental noleggio; rent noleggiare affittare;
car auto macchina; parking parcheggio; charging ricarica colonnina; electric elettrica; house
casa case immobili; parcel pacco spedizione; tracking tracciare; shop negozio; product prodotto;
review recensioni recensione; coupon buono; discount sconto sconti; customer cliente clienti;
support assistenza; survey sondaggio; news notizie; fact fatti; check verificare controllare;
sentiment opinione; container contenitori; deploy distribuire; server server; log registri;
error errore errori; code codice; run eseguire; test prova; vulnerability vulnerabilità; virus
virus; password password; phishing truffa; law legge diritto; court tribunale sentenze; contract
contratto; trademark marchio marchi; patent brevetto brevetti; privacy riservatezza; symptom
sintomi sintomo; drug farmaci farmaco medicinali; health salute; doctor medico; clinical
clinici; fitness allenamento; sleep sonno; job lavoro offerte; resume curriculum; interview
colloquio; employee dipendenti; math matematica; course corso corsi; essay tema; story fiabe
storie favola; sports sportivi sport; football calcio; score risultati; racing gara; space
spazio; satellite satelliti; earthquake terremoto terremoti; plant pianta piante; identify
riconoscere identificare; bird uccelli; garden giardino orto; soil suolo; energy energia;
electricity elettricità corrente; carbon carbonio; light luce luci; home casa; print stampare;
molecule molecola; protein proteina; gene genoma; government governo; company azienda società;
register registro; sanctions sanzioni; charity beneficenza; family famiglia; ancestor antenati
genealogico; name nome nomi; random casuale casuali; lottery estrazione lotteria; accessibility
accessibilità; advertising pubblicità; gift regalo; clothes abbigliamento vestiti; event evento
festa`;

export const PORTUGUESE = `
weather clima tempo; forecast previsão; storm tempestade furacão; air ar; quality qualidade;
tide maré marés; warning aviso; alert alerta; repository repositório; issue problema; message
mensagem mensagens; send enviar mandar; channel canal; mail correio; inbox caixa entrada;
newsletter boletim; calendar calendário agenda; appointment compromisso; meeting reunião; time
hora; zone fuso; holiday feriado feriados; note nota notas anotações; task tarefa tarefas; list
lista; project projeto; database dados banco; query consulta consultar; table tabela;
spreadsheet planilha; chart gráfico; draw desenhar; data dados; analyse analisar análise;
invoice fatura nota faturas; receipt recibo; payment pagamento; pay pagar; refund reembolso; tax
imposto impostos; vat iva; payroll folha; salary salário; currency moeda câmbio; exchange
câmbio; rate taxa cotação; stock ações bolsa; price preço preços; bank banco; account conta;
loan empréstimo; mortgage hipoteca financiamento; credit crédito; translate traduzir tradução;
translator tradutor; dictionary dicionário; grammar gramática; spelling ortografia; proofread
corrigir revisar; summarize resumir resumo; text texto; write escrever; search buscar pesquisar
pesquisa; find encontrar achar; website site página; browser navegador; screenshot captura tela;
archive arquivo; domain domínio; certificate certificado; monitor monitorar; link link; shorten
encurtar; phone telefone; paper artigos; science científico científicos; encyclopedia
enciclopédia; calculate calcular; calculator calculadora; unit unidade unidades; convert
converter conversão; statistics estatística estatísticas; document documento documentos; form
formulário; sign assinar; signature assinatura; file arquivo ficheiro; slides apresentação
slides; image imagem imagens; photo foto fotos; generate gerar criar; background fundo; remove
remover tirar; icon ícone; color cor cores; transcribe transcrever transcrição; speech fala;
voice voz; audio áudio gravação; music música; song canção canções músicas; lyrics letra; video
vídeo; subtitle legendas legenda; movie filme filmes; tv televisão; book livro livros; game jogo
jogos; chess xadrez; dice dado dados; joke piada piadas; horoscope horóscopo; recipe receita
receitas; meal refeição refeições; nutrition nutricional; calorie calorias; food comida
alimentos; restaurant restaurante; wine vinho; grocery mercado compras; map mapa; route rota
caminho; traffic trânsito; bus ônibus autocarro; transit transporte; train trem comboio trens;
flight voo voos; delay atraso; hotel hotel hospedagem; room quarto; trip viagem; travel viajar;
visa visto; rental aluguel; rent alugar; car carro; parking estacionamento vaga; charging
recarga carregador; electric elétrico; house casa apartamento imóveis; parcel encomenda pacote;
tracking rastrear rastreamento; shop loja; product produto; review avaliações; coupon cupom
cupons; discount desconto; customer cliente clientes; support suporte; survey pesquisa
questionário; news notícias manchetes; fact fatos; check verificar conferir; sentiment
sentimento; container contêiner contêineres; deploy implantar publicar; server servidor; log
registros; error erro erros; code código; run executar rodar; test teste testes; vulnerability
vulnerabilidade vulnerabilidades; virus vírus; password senha senhas; leaked vazada vazadas;
phishing golpe; law lei direito; court tribunal jurisprudência; contract contrato; trademark
marca marcas; patent patente patentes; privacy privacidade; symptom sintomas sintoma; drug
medicamentos remédio remédios; health saúde; doctor médico; clinical clínicos; fitness treino
exercício; sleep sono; job emprego vagas trabalho; resume currículo; interview entrevista;
employee funcionários; math matemática; course curso cursos; essay redação; story histórias
história; sports esportes esporte; football futebol; score resultados placar; racing corrida;
space espaço; satellite satélite; earthquake terremoto terremotos sismo; plant planta plantas;
identify identificar; bird pássaro aves; garden jardim horta; soil solo; energy energia;
electricity eletricidade luz; carbon carbono; light luz luzes; home casa; print imprimir;
molecule molécula; protein proteína; gene genoma; government governo; company empresa empresas;
register registro; sanctions sanções; charity caridade; family família; ancestor antepassados
genealógica; name nome nomes; random aleatório sorteio; lottery sorteio loteria; accessibility
acessibilidade; advertising anúncios publicidade; gift presente presentes; clothes roupa roupas;
event evento festa`;
