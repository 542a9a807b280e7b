import { Lexicon } from './lexicon.js';

export const POLISH = new Lexicon(String.raw`
name: Polish
script: Latin
common: na, jest, się, nie, do, że, jak, oraz, dla, to, z, w, i, po, od

assistant: agenci, agentow, agentom, agenta, asystent*, asystenci, asystentow
agent: agenci, agentow, agentom, agenta, asystent*, asystenci, asystentow
describes: jest
people: koledzy, pracowni*, zespol, osoby, kolega*
used: z, nasz*
to: dla, do, drogi
model: sztucznej inteligencji, sztuczna inteligencja, model jezykowy, modele jezykowe, modelu jezykowego,
  {automatyczn*|cyfrow*|wirtualn*} asystent*
user: uzytkownik*, klient*
you: ta
answer: podsumowani*, odpowied*, streszczeni*, tlumaczeni*
condition: gdy, jesli, jezeli, kiedy, zanim
reads: przetwarza*, czyta*, streszcza*, podsumow*
text: to, ta, ten, tego
note: uwaga, dla, drogi, droga
must: powinien, powinna, powinny, powinni, musi, musza, nalezy, zawsze, trzeba
please: prosze
send: wyslij*, wysyla*, wyslac, przeslij*, przeslac, przeslanie, udostepn*, dolacz*, dodaj*, dopisz*, wstaw*, pokaz*,
  ujawnij*
change: zatwierd*, zaakceptuj*, potwierd*, usun*, przelej*, zaplac*, zwroc*, kup*, zarezerwuj*, anuluj*, zmien*,
  wykonaj*, uruchom*, wywolaj*, zainstaluj*, wylacz*, wlacz*, oznacz*, zamknij*, utworz*, zapisz*, zapamietaj*, uzyj*
say: powiedz*, odpowiedz*, wspomnij*, przedstaw*, podaj*, poinformuj*, zasugeruj*, pomin*
discard: zignoruj*, ignoruj*, zapomnij*, pomin*, zastepuj*
not: nigdy, bez, zamiast, nikomu, asla
conceal: po cichu, bez {potwierdzenia|pytania|informowania}, nie {wspominaj*|mow*|informuj*|pytaj*|ujawniaj*}
secret: hasl*, poswiadcz*, klucz*, kontakt*, dane {osobowe|klient*}, danych osobowych, numer karty, kod weryfikacyjny
tool: narzedzi*, funkcj*
rules: instruc*, instrukcj*, polece*, zasad*, zadani*, pytani*, ograniczen*
past: poprzedni*, wczesniejsz*, wszystkie
new_task: odtad, od teraz, od tej chwili, nowe instrukcje
authority: upowazni*, zgodzil*, zatwierdzil*, komunikat systemowy, w imieniu

attack: atak*, wstrzyk*, złośliw*, oszust*, podejrzan*, ukryt*, zablokowa*, wykry*, ostrze{g|ż}*, manipul*
refused: nie {wykonał|posłuchał}*
audience: {drodzy|szanowni}*
`);
