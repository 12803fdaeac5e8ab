/** Words that tokenizers have as one token; from the vocabulary of o200k (MIT). */
export const COMMON_WORDS = `
aan aange aantal abandon aber ability able abort about above abs absol absolut absolute absolutely absor abstract
abund abuse academ academic acc acceler accept accepted access accessible accessories accident accommod
accommodation accomp accompl accomplish accord accordance according account accounts accum accur accuracy accurate
ace ach achie achieve achieved achter acid acknow acomp acon aconte acord acqu acquire across act acting action
actions activ active activities activity actor acts actual actually ada adalah adapt adapter add added adding
addition additional additionally addr address addresses adds ade adequ adj adjust adm admin administr administration
admit adopt ads adult adults adv advance advanced advant advantage advantages advent adventure advert advertising
advice advis advoc aff affect affected affili affiliate afford affordable afin afraid after afternoon again against
age agencies agency agenda agent agents ages aggreg aggress ago agora agr agre agree agreed agreement agric agua
agus ahead ahora aid aim ainda ainsi air airport aka akan ako akt aktiv aku alarm album alc alcohol ale alert alg
algo algorithm algun algunos alguns ali alias align aliment alive all alla alle alleen alleg alleged allen aller
allerg alles alloc allow allowed allowing allows almost alone along alongside alors alpha already als also alt alta
alter altern alternative although altijd alto alum always ama amaz amazing amb amen amer amin among amor amount
amounts ampl ana anal analy analysis anc anche ancient and anda ander andere anderen anders android androidx ang
ange angle anim animal animals animated animation ann announ announced annual ano anos another ans answer answers
ant ante anterior antes anti anticip anu anx anxiety any anymore anyone anything anyway anywhere aos apar apare
apart apartment apenas api aplic app appar appe appeal appear appearance appeared appears append appli applic
applicable application applications applied apply applying appoint appointment appr appreci appreciate appro
approach approaches appropr appropriate approval approved approximately apps apr apresent apro aqu aquest aqui ara
arbe arc arch architect architecture are area areas aren arg args argument arguments argv aria arm arms around arr
arrang arrangement array arrest arrival arrive arrived art article articles artist artists arts asc asi aside ask
asked asking asp aspect aspects ass asse assembly assert assess assessment asset assets assign assigned assignment
assim assist assistance associ associated association assum assume ast async atau ath ati ativ atmos atmosphere atr
atrav att attach attached attack attacks attempt attend attended attention attorney attr attract attractive
attribute attributes atu atual auc auch aud audience audio auf aug aument aunque aur aus aussi aut auth authent
authentic author authorities authority authors auto autom automatic automatically autor autre autres aux
availability available avait aval avant ave avec aver average avez avoid avoir avons await award awarded aware
awareness away awesome axios axis ayaa bab baby back background backup bacter bad bag bags bah bak bal balance ball
ban band bang bank banks bann banyak bar bare barn barr bars bas base based basic basically basis basket bass bast
bastante bat batch bath bathroom batt batter battery battle bay baz beach bear bearing beat beaucoup beaut beautiful
beauty bec became because become becomes becoming bed bedrij bedroom bedrooms been beer before beg began begin
beginning begins beh behand behavior behind bei beim being bek bel belang belangrijk belie belief believe believed
believes belong below bem ben bench bene benef benefit benefits bent ber bere bereits bes besch best beste bet beta
better betting between bew beyond bez bias bid bien big bigger biggest bij bike bil bilen bill billion bills bin
binary bind binding binnen bio bir bird birth birthday bis bisa bit bits biz black blank ble blend bless blij blind
blo block blocks blog blogs blood blow blue board boat bod bodies body bol bold bole bom bomb bon bond bone bonne
bonus book booking books bool boolean boost boot bor bord border born borrow bos boss bot both bott bottle bottom
bou bought bound bout bow bowl box boxes boy boys bra brain branch brand brands brasile bre bread break breakfast
breaking breast breath bridge brief bright brilliant bring bringing brings brit bro broad broadcast broke broken
broker bron brother brought brown brows browser brush btn buck bud budget buen buf buff buffer bug build builder
building buildings built buiten bul bull bun bunch bundle bur burn bus business businesses busy but butter button
buttons buy buyers buying byte bytes cab cabe cabin cable cache cad cada caf cake cal calc calcul calculate
calculated calendar calidad call callback called calling calls calm cam camb came camera camp campaign campo campus
can cancel cancer candid candidate candidates cann cannot cant canvas cap capabilities capable capac capacity
capital caps capt capture car cara caracter carbon card cards care career careful carefully cargo carr carried carry
carrying cars cart cas casa case cases cash casino casinos caso casos cast casual cat catalog catch categor
categories category caught caus causa cause caused causes causing caut cel cela cele celebr celebrate cell cells
cent center centers central centre centro century cer cerca cert certain certainly certific certificate
certification certified ces cet cette ceux cha chain chair chall challeng challenge challenges challenging cham
chamb champ chance chances chang change changed changes changing channel channels chap chapter chaque char character
characteristics characters charg charge charged charges charset chart chat che cheap check checked checking checks
cheese chem chemical cher chest chez chi chicken chief child children chip cho chocolate choice choices choose
choosing chose chosen chun chunk church cidade cig cin cir circ circle circuit circul circum circumstances cit
cities citiz citizens city ciudad civ civil claim claimed claims clar class classes classic cle clean cleaning clear
clearly click clicking client cliente clientes clients clim climate clin clinical clip clock clos close closed
closely closer closing cloth clothes clothing cloud cls club cluster cmd coach coal coast cob coc cock cod code
codes coding coff coffee coin col cold coll collabor collaboration colle collect collected collection collections
colleg college coloc colon color colors colour column columns com comb combat combin combination combine combined
come coment comerc comes comfort comfortable coming comm command commands comme comment comments commercial
commission commit commitment committed committee common commonly commun communicate communication communications
communities community como comp compact compan companies company compar compare compared comparison compart compat
compatible compens compet competition competitive compl complaint comple complement complet complete completed
completely completion complex compliance complic complicated component components comport compos compr comprar
compreh comprehensive comprom compte comput compute computer computers comun comunic con conc conce concentr concept
concepts concer concern concerned concerning concerns concert conclusion concrete cond condition conditions conduct
conducted conf conference confidence confident config configur configuration configure confirm confirmed conflic
conflict conform confront conhe conj conn conna connect connected connection connections conoc cons consc conse
consegu consent conserv consider consideration considered considering consist consistent consists console const
constant constantly constit constitu constru construct construction constructor consult consum consumer consumers
consumption cont conta contact contacts contain contained container containing contains contem contemporary conten
content contents contest context contin continu continue continued continues continuing contr contra contract
contrast contre contrib contribut contribute contribution contro control controlled controller controls conv conven
convenience convenient convent conver convers conversation conversion convert cook cookie cookies cooking cool coord
coordin cop copies copy copyright cor cord core corner coronavirus corpor corporate corr corre correct correctly
correspond corresponding cort cos cosas cost costs cot cou could couldn coun counsel count counter countries country
county coup couple cour cours course courses court cout cov cover coverage covered covering covers cra craft crash
crazy cre cream creat create created creates creating creation creative cred credit cref cres crew cri crime
criminal crisis crit criteria critic critical cro cross crow crowd cru cruc crucial crush crusher crushing cry crypt
crypto ctx cual cualquier cuando cub cuenta cul cult cultural culture cum cun cup cur curr currency current
currently curso cursor cust custom customer customers cut cute cutting cycle daar dabei dad dados dag dagen dah daha
daily dal dalam dam damage damit dan dance danger dangerous dann dans dapat dar dari dark das dass dat data database
datas dataset date dates datetime dating datos daughter dav day days dazu dead deal dealer dealing deals death deb
debate debe debt debug debut dec decade decades decent decide decided decimal decir decis decision decisions deck
decl declar decor decre decrease ded dedicated deel deep def default defe defect defense defin define defined
definit definitely definition deg degree degrees dei deix dej del delay dele deleg delete deleted delicious delight
deliver delivered delivery dell della delle dels delta dem demand demande demo democr demonstr den dengan denn dent
dental dentro dep depart department depend depending depends deploy depo depois deposit depth depuis der dere
derived derni des desarroll desc describ describe described describes description desde dese desen desenvol design
designed designer designs desire desired desk desktop despite dess dest destac destin destination destr destroy det
detail detailed details detect determ determin determine determined deuts deux dev deve develop developed developer
developers developing development device devices dez deze dhe dia diabetes diagn diagnostic dial dialog diam dias
dib dic dice dich dict dictionary did didn die died dies diese diesem diesen dieser dieses diet dif difer diferentes
diff differ difference differences different diffic difficult difficulty dig digit digital dijo dik dil dim
dimension dimensions din dina dining dinner dip dipl dir dire direct directed direction directions directly director
directory direkt dirig dis disable disabled disappe disappoint disc discip discount discover discovered discr
discuss discussed discussion dise disease diseases dish disk disp dispatch display displayed dispon dispos disposit
disse dist distance distinct distr distrib distribut distributed distribution district dit div divers diverse
division diz django dla dob doc doch doctor doctors document documentation documents doen does doesn dog dogs doing
dois doit dok dol doll dollar dollars dolor dom domain domestic domin don donc donde done donn dont door doors dop
dor dorm dos dose dost dot dou doub double doubt dow down download dra draft drag dram drama draw drawing drawn dre
dream dreams dress drink drinking drinks drive driven driver drivers driving dro drop dropped drug drugs dry dst
dual duas dub due dump dumpster dun duplic dur durable durante duration durch during dus dust dut duty dynam dynamic
dys each ear earlier early earn earned earth eas ease easier easily east easy eat eating echo echt econ econom
economic economy edge edges edit editing edition editor educ education educational een eens eer eerste efect eff
effect effective effectively effects effet effic efficiency efficient effort efforts efic efter egg egy eig eigen
eight ein eine einem einen einer eines einfach eing either eka ekki eks ela elabor ele elect election electr
electric electrical electricity electron electronic eleg elegant elektr elem element elements eles elev elif elig
eligible elim elimin elkaar ell ella elle eller ellos els else email emails emb embargo embr emerg emergency emit
emot emotional emp emph employ employee employees employment empres empresa empresas empty enable enabled enables
enc encoding encontr encontrar encore encounter encour encourage encuent end ended ending endl ends enem enemy energ
energy enf enfants eng engage engaged engagement engine engineering enh enhance enjoy enjoyed enjoying enn enorm
enough enqu ens ensure ensuring ent enter entered entering enterprise entert entertain entertainment enth enthusi
entire entirely entities entity entr entre entreg entrepr entreprene entries entry ents enum enumer env envi environ
environment environmental epis episode equ equal equip equipment equipo equipped equivalent era ere erf erg erot err
erre error errors erst ersten eru erv esa esc escape escol escort escr ese esk eso esp espa espec especial
especially esper ess essa essay essays esse essential est esta estab estable establish established estado estar
estas estate estava este estim estimate estimated esto estos estr estud eta etc eth ett etwas euro euros evalu
evaluate evaluation even evening event evento events eventually ever every everyday everyone everything everywhere
evid evidence evil evol evolution evt exact exactly exam example examples exc exceed excel excellent except
exception exceptional excess exchange excited exciting exclus exclusive exec execut execute execution executive exem
exemple exerc exercise exhaust exhib exist existe existence existing exists exit exp expand expansion expect
expectations expected expenses expensive exper experien experience experienced experiences experiment expert
expertise experts expl explain explained explains explan explic explicit explore explos export exports expos exposed
exposure express expressed expression ext extend extended extends extension extensive extent exterior extern
external extr extra extract extrem extreme extremely eye eyes fab fabric fac face facebook faces facil facile
facilities facility facing fact factor factors factory facts fail failed failure fair faire fairly fais fait faith
fake fal fall falling falls false falta fam famil familia familiar families family famous fan fans fant fantastic
far fare farm fasc fashion fast faster fat father fault faut fav favor favorite favour favourite faz fazer fear
feature featured features featuring feb fecha federal fee feed feedback feel feeling feelings feels fees feet fel
fell fellow felt fem female femin fen fer fert fest festival fet fetch few fib fic fiction field fields fif fig
fight fighting figure figures fil file filed filename files fill filled film films filter filters fim fin final
finally financ finance financial find finden finding findings finds fine finger finish finished fir fire firm firms
first fis fiscal fish fishing fit fitness fits five fix fixed fixture flag flags flash flat flav flavor fle flex
flexible flight flo float flood floor flow flower flowers flu fluid fly fmt foc focus focused focuses foi fois fol
fold folder folks foll follow followed following follows fon fonction fond font food foods foot football for foram
force forced forces fore foreach forecast foreign forest forever forget forgot form forma formal format formation
formed former forms formula fort forth forum forward fot foto fotograf fotos found foundation founded four fourth
fprintf fra frag fragment fram frame frames framework franch fraud fre free freedom frente frequ frequency frequent
frequently fresh fri friend friendly friends fro from front fruit frustr fuck fue fuel fuer ful full fully fun func
funcion function functional functionality functions fund fundament fundamental funding funds funk funny fur furn
furniture further fut future fyr fyrir gaan gaat gab gad gag gain gal gall gallery gam gambling game games gaming
gan gang ganz gap gar garage garant gard garden gas gast gather gau gave gay gaz gear geb gebru gebruik ged gee geen
gef gegen geh geht gek gel geld gele gem gemaakt geme gen gender gene gener general generally generate generated
generation generator generic genre gent gente gentle genu ger gere ges gesch gest get gets getting gev geven gew
gewoon gez gibt gift gifts gig ging gir girl girls give given gives giving glad glass gleich gli glob global goal
goals gob god goed goede goes going gol gold golf gone good goods google gore gorgeous got goto gover govern
governing government gra graag grab grad grade gradu graduate gran grand grande grandes grant granted graph graphics
grass grat gratis gratuit grav gre great greater greatest greatly green grew grid grinding gro groot gross grote
ground group groups grow growing grown growth grup grupo guarante guarantee guaranteed guard guer guess guest guests
guid guidance guide guidelines guitar gun gust gut guy guys gym haar hab habe haben habit hac hace hacer hacia had
hag hair hak hal half hall ham han hand handle handler handles handling hands hang happ happen happened happening
happens happy har hard hardware harm hart has hash hast hasta hat hate hatte hau hav have haven having hay haz head
header headers heading heads healing health healthcare healthy hear heard hearing heart heat heating heav heavy heb
hebben hebt hecho heeft heel height hel held hele hell help helped helper helpful helping helps hem hen her here
hero herr hers herself hes het heute hex hid hidden hide hier high higher highest highlight highly hij hil him
himself hin hindi hint hip hire his hist histor historia historic historical history hit hits hoe hog hogy hoje hol
hold holder holding holds hole holiday holidays hom home homem homes hon honest honor hoog hook hop hope hoping hor
hora horas horiz horizontal horm horr hors horse hosp hospital host hosting hot hotel hotels hou hour hours hous
house household houses housing how however hoy href html http https hub huge huis hum human humans humor hun hund
hundred hundreds hur hurt hus husband hvor hyd hyp hyper ice ich icon ide idea ideal ideas ident identified
identifier identify identity idi idx iedere iets ign ignore ignored igual ihe ihn ihr ihre ike iki ikke ile ili ill
illegal illness illustr ils imag image images imagine img imm immed immediate immediately immer imp impact imper
impl imple implement implementation implemented implements implied import importance important importante impos
impossible impress impression impressive impro improv improve improved improvement improving ina inc incent inch
inches incident incl inclu includ include included includes including inclus income incor incorpor incorrect incre
increase increased increases increasing increasingly incred incredible incredibly increment ind inde indeed independ
independent index indic indicate indicated indicates indiv individ individual individuals industr industrial
industries industry inf infect infection infer infl influ influence info inform informatie information informed
infrastructure ing ingred ingredients ini inici init initi initial initialize initially inj inject injuries injury
ink inline inm inn inner innov innovation innovative input inputs ins insert inside insight insights insp inspir
inspiration inspired inst instal install installation installed instance instanceof instances instant instead instit
institution institutions instr instruction instructions instrument insurance int inte integer integr integrated
integration intellect intellig intelligence intended intens intent inter interact interaction interactive interes
interess interest interested interesting interests interface interior intern internal international internet
interpret interval interview into intr introdu introduce introduced introduction inv invalid invent inventory invest
investig investigation investment investors invite invited invol involved involves involving ion iron isang
isinstance island isn isol iss isset isso issue issued issues ist item items iter ito its itself itu iyo jaar jack
jag jak jam jamais jan jar jard jaren java javafx javax jaw jed jeg jest jet jetzt jeu jew jij job jobs jog join
joined joining joint jong jorn jou jour journ journal journey jours jouw joy json jud judge jue jug juga jul jump
jun junto jur jus jusqu just justice justify kab kad kah kaj kak kal kam kan kana kang kann kans kant kap kar kart
kas kat katika kau kay keep keeping keeps keer kein keine kel kem ken kenn kep kept ker kernel kes ket kev key
keyboard keys keyword khi kho kick kid kids kil kill killed kin kind kinderen kinds king kir kit kita kitchen kle
kleine knew know knowing knowledge known knows kod koj koji kok kol kom komen kommer kommt komt kon kons kont kop
kor kort kos kost kosten kot kra krij krijgen kter kub kud kuf kui kuk kul kull kum kuma kun kung kunnen kunt kunye
kup kur kus kut kuti kuwa kwa kwal kwe laat lab label labels labor lack lad lado lady lag lah lain lak lake lam lan
land lands landscape lang lange langs language languages lap laptop larg large larger largest las laser lassen last
lat late laten later latest lati laug laugh launch launched lav lava law laws lawyer lay layer layers layout lbl
lead leader leaders leadership leading leads leaf league lean learn learned learning least leather leave leaves
leaving leb lebih lect led leer left leg legal legend legis legisl legit legs leis lek lem len leng length les less
lesson lessons leswaku let lets lett letter letters letz leuk leur leurs lev level levels leven lever lib liber
libert libr library libre lic license licensed lid lie lief lies lieu lif life lifestyle lifetime lift lig light
lighting lights ligne lij lik like liked likely likes lim limit limitations limited limits lin line linear lines
ling link linked links lip liqu liquid lis list lista listed listen listener listening listing listings lists lit
liter literally literature little liv live lived lives living livre llam lle lleg load loaded loading loan loans loc
local located location locations lock log logged logger logging logic login logo lok lomb lombok lon long longer
look looked looking looks loop lors los lose losing loss lost lot lots lou lov love loved lovely loves loving low
lower lowest lub luck lucky lug lugar lui lum lunch lux luxury luz maakt maar mac mach machen machine machines macht
mad made maf mag magazine magic magn magnet mah mai mail main mainly maint maintain maintained maintaining
maintenance maior mais maison maj major majority mak maka make maken makes making mal male mam man mana manage
managed management manager managers managing mand mane manera mang manier manifest manip manner mant manual manufact
manufacturer manufacturers manufacturing many map mapping maps mar marca march marg margin mari mark marked marker
market marketing markets marks marriage married mart mas mask mass massage massasje massive master mat mata match
matches matching mate mater material materials math matr matrix matt matter matters mattress mau max maximum may
maybe mayor mea meal meals mean meaning means meant meas measure measured measures meat mechan med medi media medic
medical medication medicine medio medium mee meer meest meet meeting meetings meets meg mehr mei meille meine meio
mej mejor mejores mel melhor mem memb member members membership memories memory men menc mend meng menj menos mens
mensen ment mental mention mentioned menu meny mer merc mercado merch mere mereka merely merge mes meses mesh mesmo
mess message messages mest met meta metadata metal meter method methods mettre meu mga mic mich micro mid middle
mientras mieux mig might migr migration mij mijn mik mil mile miles military milk mill million millions millones mim
min mind minder mine miner mineral minha mini minim minimal minimum mining minister minor mint minute minutes
minutos mir mis mise mismo miss missed missing mission mist mit mitt mix mixed mob mobil mobile mock mod modal mode
model modelo models moder modern modified modify modo module modules moet moeten mog mogelijk moi moins mois moist
mol mold mole mom moment momento moments mon mond monde money monitor monitoring mont month monthly months moo mood
mor moral more morning mort mortgage mos most mostly mot mother motion motiv motor mount mountain mouse mouth mov
move moved movement moves movie movies moving moy msg much mucho muchos mud muit muito mujer muk mul mulher mult
multi multip multiple mun mund mundo municip mur murder muri mus muscle music musical muss must mut muy mys myself
mysql mysqli myst naar nab nach nacional nad nada nag nah naj nak nal nam name named names namespace nan nang nap
nar narr narrow nas nat nation national native natu natur natural naturally nature natuurl nav navigate navigation
ndi near nearby nearly neces necess necessarily necessary neck ned need needed needs neg negative negoti nei neigh
neighbor neighborhood neither nek nel nem nen nerv nes net nett network networks neu neue neuen neut never new newly
news newsp next nga ngh ngo ngok nhi nic nice nicht nick nie niet nieuw nieuwe night nights nil nim nine ning niveau
nivel nke nob noch nod node nodes nodig nog noise nok nom nombre nome non none nor norm normal normally nors north
nos noss nossa nosso nost not note noted notes nothing notice noticed notification notify notre nou nous nouve
nouveau nouvelle nov nova novel novo now ntawm nuc nuclear nue nuest nuestra nuestro nuestros nueva nuevo null
nullable nullptr num number numbers numer numerous numpy nums nun nunca nur nut nutr nwere obj object objective
objects objet objetivo oblig obra obs observ observed obst obt obtain obtained obvious obviously occ occas occasion
occup occur occurred occurs ocean och oct odd oder ofere off offer offered offering offers offic office officer
officers offices official officials offset oft often ohne oil okay olan olar olarak old older oldu ole oleh oli oma
omdat ona once onde onder one ones ongoing online only ons ont onto ontw ontwikk onze ook open opened opening opens
oper operate operating operation operations operator opin opinion opinions oportun opp oppon opportun opportunities
opportunity oppos opposite ops opt optim optimal option optional options opts ora oral orang orange ord orden order
ordered orders ore org organ organic organis organisation organiz organization organizations organized orient orig
origin original originally ort oslo oss ost other others otherwise otra otras otro otros ought our ourselves out
outcome outcomes outdoor outer output outras outro outros outside outstanding oven over overall override overs overw
overwhel own owned owner owners ownership paar pac pace pack package packages packaging packed packet pad pada
padding pag page pages pai paid pain paint painting pair pairs pak pal pam pan pand pandem pandemic panel pang pant
pap papel paper papers par para parallel param parameter parameters params parc pare parece parent parents park
parking parl parse parser part parte partial partic particip participants participate participation particular
particularly partie parties partir partner partners partnership parts party pas pasado pass passage passe passed
passing passion password past pat patch path paths patient patients patr pattern patterns pay paying payload payment
payments pays pdf peace peak ped peer pel pela pelo pem pen penal pendant peng pens pent pentru people pep peque per
perce percent percentage perd perf perfect perfectly perform performance performed performing perhaps period perm
perman permanent permet permission permissions permit permite pero pers person persona personal personality
personally personas personne personnel personnes persons persoon perspective pert pes peso pesso pessoas pet petit
peu peut peuvent pharm phase phen philos philosoph phone phones phot photo photograph photos phr phys physical pic
pick picked pict picture pictures pid pie piece pieces pied pier pig pil pill pills pin pink pipe pir pis pit pitch
pixel plaats plac place placed placeholder places plain plan plane planet planned planning plans plant plants
plastic plat plate platform platforms play played player players playing plays ple pleasant please pleased pleasure
plenty plot plt plug plugin plus plusieurs pob pocket poco pod podcast pode podem podemos poder podr point pointer
points pois pok poker pol pole polic police policies policy polit political politics poll poly pom pon pont pool
poor pop popul popula popular population por porn porno porque port portal porte portfolio portion pos pose posible
posit position positions positive poss possess possibil possibility possible possibly post posted poster posting
posts pot potential potentially pou pouco pounds pour pouvez pov pow powder power powerful poz pra pract practical
practice practices prakt pre prec preced precio precis pred predict prefer preferences preferred prefix preg pregn
prem premi premier premium prendre prepar preparation prepare prepared pres presence present presentation presente
presented presents president presidente press pressure prest pret pretty prev prevent previous previously pri price
prices pricing pride prim prima primarily primary prime primeira primeiro primer primera prin princip principal
principles print printed printf printing prior priority pris prison priv privacy private privile prix pro prob
probably probl proble problem problema problemas problems proc proced procedure procedures proceed proces proceso
process processed processes processing processo prod produ produce produced producer producing product production
producto productos products produits produk prof profes profesional profession professional professionals professor
profile profiles profit program programa programme programming programs progress prohib proj project projects projet
prom promise promot promote promotion prompt pron proof prop propag proper properly properties property propor
proport propos proposal propose proposed propr props pros prost prot prote protect protected protection protein
protest protocol proud prov prove proven provid provide provided provider providers provides providing provinc proxy
proyect prz prze przy psych ptr pub publ public publication publish published pued puede pueden puis pul pull pulled
pump pun punt punto pup pur purch purchase purchased purchasing pure purpose purposes purs push put puts putting
puzz python qual qualified quality qualquer quand quando quant quantity quanto quart quarter que qued quel quelques
quem quer query quest question questions queue qui quick quickly quien quiet quite quot quote quotes rac race rad
radi radio radius rail rain rais raise raised rak ram ran rand random range rank rap rapid rapidly rapport rare ras
rat rate rates rather rating ratings ratio rau rav raw ray raz reach reached react reaction read reader readers
reading readonly ready real reality realiz realizar realize realized really rear reason reasonable reasons reb rec
rece receive received receiver receiving recent recently recher recherche recht recib recipe recipes recogn
recognition recognize recognized recom recomm recommend recommendations recommended recon record recorded recording
records recover recovery recruit rect recuper recursos recycl red rede redes redirect redis redistribute redu reduce
reduced reducing reduction ref refer reference references referred reflect reform refr refresh refund reg regard
regarding regardless regel region regional regions register registered registr registration regul regular regularly
regulations rein reject rek rel relacion related relation relations relationship relationships relative relatively
relax rele release released relev relevant reli reliable relief relig religion religious rely rem remain remaining
remains remark remember remind remote remov removal remove removed ren rend render renew renov rent rental rep
repair repe repeat repeated replac replace replaced replacement reply report reported reporting reports repository
repr represent representation representative representing represents reprodu reput reputation req requ request
requested requests require required requirement requirements requires res research researchers reserv reserve
reserved reset resid residence residential residents resist resistance resol resolution resolve resort resource
resources resp respect respective respectively respond respons responsabil response responses responsibility
responsible rest restaur restaurant restaurants reste restore restr restrictions result resultado resultados
resulting results resume ret retail retain retr retro return returned returning returns reun rev reve reveal
revealed revel reven revenue reverse review reviews revis revol revolution reward rez rib rice rich richt rid ride
rien rig right rights rin ring rip ris rise rising risk risks rit riv river road rob robot robust rock rod rol role
roles roll rom rond roof room rooms root rose rot rotation rou rough round rounded rout route router routes routine
row rows roz rub rug ruim rule rules rum run rund running runs rural rust saat sab saber sac sad saf safe safety sag
sah said sak sal salary sale sales salt salud sam sama same samen sample samples san sand sang sans sant sap sar sat
satisf satisfaction satisfied sau sauce sav save saved saving savings savoir saw say saying says scale scan scen
scenario scene sch sche schedule scheduled schema scheme schn scholar schon school schools science scient scientific
sco scope score scores scr scre screen screens script scroll sea search searching season seat seats seb sec second
secondary seconds secret sect section sections sector secure security sed see seed seeing seek seeking seem seemed
seems seen seg segment segu seguir segunda segundo sehr sei sein seine seiner seit seja sek seks sel selbst sele
select selected selection selector self sell seller selling sem semana semi sempre sen send sender sending sendo
senior sens sense sensitive sensor sent sentence sentido seo separ separate sept seq sequence ser sera serial serie
series serious seriously serv serve served server servers serves servi service services servicio serving ses session
sessions set sets sett setting settings setup seu seus seven sever several severe sex sexo sexual sexy sha shadow
shall shape share shared shares sharing she sheet shel shell shift ship shipping shock shoes shoot shooting shop
shopping shops short shot shots should show showed shower showing shown shows shr shut sich sick sid side sides sido
sie siempre sig sight sign signal signature signed signific significant significantly signs sigu sil silver sim
similar simpl simple simples simply sin since sind sing single singles sink sino sir sis sist sistem sistema sister
sit site sites sitting situ situation situations six size sizeof sizes skal skill skills skin skip sky sle slee
sleep slide slight slightly slot slots slow slowly small smaller smart smartphone smile smo smooth snap snel snow
sob sobre soc soci social society socket sod soft software sog soil soit sol solar sold sole solic solid soll sollte
solo solution solutions solve som some someone somet something sometimes somewhat somewhere son sondern song songs
sono sont soo soon soph sor sorry sort sorted sos sou soul sound sounds sour source sources sous sout south sow
sowie spa space spaces span spark spe speak speaker speaking spec special specialist species specif specific
specifically specified spect speech speed spel spend spending spent spin spirit spiritual spl split spo spoke spons
sport sports spot spots spr spre spread spring sql squ square src sta staan staat stabil stable stack stad staff
stage stages stake stand standard standards standing stands star stars start started starting starts stat state
stated statement statements states static station stations statist statistics stats status stay stayed staying std
ste steeds steel stem step steps ster stick still stim stock stone stop stopped stor storage store stored stores
stories storm story str stra straight strange strateg strategic strategies strategy stre stream streaming street
streets strength stress stretch strict string strings strip stroke strong stronger struct structure structures
strugg struggle stub stuck stud student students studied studies studio study stuff stunning stup sty styl style
styled styles sua suas sub subject subjects submit submitted subs subscrib subscription subse substant substantial
substit subt suc succ succeed success successful successfully such sud sudden suddenly suff suffer suffering
sufficient sugar sugg suggest suggested suggestions suggests suis suit suitable suite suiv sul sum summ summary
summer sun sunt sup super superior supp supplement supplied supplier suppliers supplies supply support supported
supporting supports supposed sur sure surf surface surg surgery surpr surprise surprised surprising surround
surrounding surv surve survey sus susp sust sustain sustainable sve svo swap swe sweet swi swimming switch sym
symbol sympt symptoms syn sync synchron synd synt sys syst system systems tab table tables tablet tack tact tag tags
tah tai tail tak take taken takes taking tal tale talent talk talked talking talks tall tam tamb tan tang tank tant
tanto tap tar tarde target targets tas task tasks taste tat tau taught tax taxes tea teach teacher teachers teaching
team teams tech techn techni technical technique techniques technologies technology tecn teen teeth tegen tek tekn
tel tele telefon television tell telling tells tem tema temp temper temperature template tempo tempor temporary
temps ten tend tener tent ter term termin terminal terms terr terror terug test tested testing tests tet tex text
texto texture tha than thank thanks that the their them theme themselves then theory therap therapy there therefore
therm these they thi thiab thick thin thing things think thinking third this thorough those though thought thoughts
thous thousand thousands thr thread threat three threshold through throughout throw throws thu thus ticket tickets
tid tidak tie tied tiempo tien tiene tienen tight tijd tijdens tik til tile till tim time timeout timer times timest
timestamp tin ting tiny tip tipo tips tir tired tit title titles tmp toch tod toda todas today todo todos toe toget
together togg toggle tok token tokens told toler tom tomorrow ton tone tonight tons too took tool tools top topic
topics tor torch torn tort tot total totally tou touch tough toujours tour tourn tous tout toute toutes toward
towards town tox tra trab trabaj trabajo trabal trabalho trace track tracking tracks trad trade tradem trading
tradition traditional traff traffic trail train trained training trait tran tranqu trans transaction transactions
transf transfer transform transformation transition transl translate translation transmission transport
transportation tras trash trat trata trav travail travel traveling travers tre treat treated treatment treatments
tree trees trem trend trends tres tri trial trib tried trigger trim trip tritur tro trois trong trop trou troub
trouble trouver truck true truly trust trusted truth try trying tsa tse tsh tub tube tudo tul tule tum tun tur turn
turned turning turns tus tussen tut tutorial twe twee tweet twenty twice two txt typ type typeof types typical
typically uch uint uit uku ult ultimate ultimately uma una unable und undefined under underst understand
understanding understood undert une unexpected unf ung uniform union unique unit units univers university unknown
unless uno unos uns unser unsere unserer unsigned unt unter until untuk unus unw upcoming update updated updates
upgrade upload upon upp upper urban urg uri url usa usage usar use used useful user username users uses using uso
ust usu usual usually usuario utf util utilis utility utiliz utilize utils uur uye vaak vac vacation vacc vag vai
vak val vale valid validate validation valor valu valuable value values van var vari variable variables variant
variety various vary vas vast vec veces vector ved veel veg veget veh vehicle vehicles vel ven vend vent venue ver
verb verd verdade verder vere verg verify verk verl verm vers versch verschied verschill verschillende version
versions vert vertex vertical verv verw very verz vess vest vet veter vez vezes via viagra vibr vice vict victim
victory vid vida vide video videos vie viel viele vier view viewing views vig vil vill village ville vin vind vinden
viol violence vir virt virtual virus vis visible vision visit visited visiting visitors vista visual vit vital viv
voc voice void voir vol volg volt volume volunte vom von voor vor vorm vos vot vote votes votre vou vous voy vra
vraag vraiment vrij vrou vul vulner vun waar waard wait waiting wak wake wal walk walked walking wall wallet walls
wan want wanted wants war ware waren warm warn warning warrant warranty was wash wasn waste wat watch watched
watching water wave wax way ways weak wealth weapon weapons wear wearing weather web website websites wedding week
weekend weekly weeks weer weet weg weight weil weit weiter wel welcome well wen wenn went wer werd werden were
wereld werk werken west wet whak what whatever whe wheel when whenever where whether which while white who whole
whom whose why wid wide widely widget width wie wieder wife wij wil wild will willen willing win wind window windows
wine winner winning wins winter wir wird wire wireless wirk wis wish with withdraw within without witness woman
women won wonder wonderful wondering wood wor word worden words wordt work worked worker workers working works
workshop world worldwide worry worse worst worth would wouldn wrap wrapper writ write writer writers writes writing
written wrong wrote wur wurde wurden www xml yak yan yang yap yar yard yards year years yellow yer yes yesterday yet
yield yog yoga yok yon you young younger your yours yourself youth zak zal zam zap zeer zeg zeker zelf zero zich zie
zien zij zijn zip zit zoals zoek zon zona zonder zone zoom zorg zou zum zur zus zwe zwei zwischen
`
