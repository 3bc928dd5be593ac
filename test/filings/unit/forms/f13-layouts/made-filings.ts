/** Typewritten 13F tables in layouts that filers use, with the rows that a reader of the page sees. */

interface Layout {
  text: string;
  /** name | class | CUSIP | value | shares | rest */
  rows: string;
}

export const layouts: Record<string, Layout> = {
  'a name begins on the line above': {
    text: `
Name of Issuer   Class     CUSIP       (x$1000)    Amount   Discretion
- -------------- -------- ----------- ----------- ----------- ----------
<S>            <C>      <C>         <C>         <C>         <C>
American
Express Co.      Com    025816 10 9   1,045,065  17,225,400  SOLE
                                        485,034   7,994,634  SOLE
Block H & R      Com    093671 10 5      94,773   4,113,400  SOLE
Home Depot
Inc.             Com    437076 10 2     167,909   4,181,000  SOLE
                                    -----------
                                      1,792,781
`,
    rows: `
American Express Co. | Com | 025816109 | 1045065 | 17225400 | SOLE
American Express Co. | Com | 025816109 | 485034 | 7994634 | SOLE
Block H & R | Com | 093671105 | 94773 | 4113400 | SOLE
Home Depot Inc. | Com | 437076102 | 167909 | 4181000 | SOLE`,
  },
  'a name of three and of four lines above': {
    text: `
Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
Tyco
International
LTD              Com    902124 10 6     304,000  10,000,000  X
Nike Inc.        Com    654106 10 3     396,120   4,000,000  X
United
Parcel
Service
Inc.             Cl B   911312 10 6     107,161   1,429,200  X
`,
    rows: `
Tyco International LTD | Com | 902124106 | 304000 | 10000000 | X
Nike Inc. | Com | 654106103 | 396120 | 4000000 | X
United Parcel Service Inc. | Cl B | 911312106 | 107161 | 1429200 | X`,
  },
  'a name above, the rest of it indented': {
    text: `
Name of Issuer          Class     Number     Thousands)   Amount $
- --------------------- -------- ------------ ----------- -----------
<S>                   <C>      <C>          <C>         <C>
Burlington
   Northern
   Santa Fe              Com    12189T 10 4   5,306,440  70,089,829   X
Mueller
   Industries            Com    624756 10 2      86,250   3,217,100   X
Carmax Inc.              Com    143130 10 2     138,976  17,636,500   X
`,
    rows: `
Burlington Northern Santa Fe | Com | 12189T104 | 5306440 | 70089829 | X
Mueller Industries | Com | 624756102 | 86250 | 3217100 | X
Carmax Inc. | Com | 143130102 | 138976 | 17636500 | X`,
  },
  'a name below, indented': {
    text: `
Name of Issuer   Title of Class   CUSIP     Thousands)   Amount    Discretion
<S>              <C>              <C>       <C>        <C>         <C>
BANK OF          COM              064058100    225,076   8,041,300 Shared-Defined
  NEW YORK
  MELLON CORP
BANK OF          COM              064058100     50,212   1,793,915 Shared-Defined
  NEW YORK
  MELLON CORP
COCA COLA CO     COM              191216100     32,352     800,000 Shared-Defined
AMERICAN         COM              025816109    131,691   1,952,142 Shared-Defined
  EXPRESS CO
</TABLE>
`,
    rows: `
BANK OF NEW YORK MELLON CORP | COM | 064058100 | 225076 | 8041300 | Shared-Defined
BANK OF NEW YORK MELLON CORP | COM | 064058100 | 50212 | 1793915 | Shared-Defined
COCA COLA CO | COM | 191216100 | 32352 | 800000 | Shared-Defined
AMERICAN EXPRESS CO | COM | 025816109 | 131691 | 1952142 | Shared-Defined`,
  },
  'a name below, a blank line between entries': {
    text: `
Name of Issuer      Class   Number     (x$1000)     Amount     SH/PRN

ACCENTURE LTD       Common G1150G111        293        13,100  SH
BERMUDA

INTERSTATE BAKERIES Common 46072H108        337        22,475  SH
 CORP DEL

AES CORP            Common 00130H105        742       100,000  SH

AMBAC FINL GROUP    Common 023139108      1,920        30,000  SH
INC
                                   ------------
                         TOTAL $          3,292
`,
    rows: `
ACCENTURE LTD BERMUDA | Common | G1150G111 | 293 | 13100 | SH
INTERSTATE BAKERIES CORP DEL | Common | 46072H108 | 337 | 22475 | SH
AES CORP | Common | 00130H105 | 742 | 100000 | SH
AMBAC FINL GROUP INC | Common | 023139108 | 1920 | 30000 | SH`,
  },
  'a name below, no blank line, no indent': {
    text: `
NAME OF ISSUER       CLASS     CUSIP      VALUE    SHARES
-------------------- ------ --------- --------- ---------
ACUITY BRANDS INC    COM    00508Y102       247    13,650  SOLE
FLEETBOSTON FINL     COM    339030108       390    12,925  SOLE
CORP
FORD MTR CO DEL      COM    345370860       668    62,000  SOLE
DU PONT E I DE       COM    263534109       400    10,000  SOLE
NEMOURS & CO
GAP INC DEL          COM    364760108     1,541    90,000  SOLE
KINDRED HEALTHCARE   COM    494580103     5,616   150,000  SOLE
INC
`,
    rows: `
ACUITY BRANDS INC | COM | 00508Y102 | 247 | 13650 | SOLE
FLEETBOSTON FINL CORP | COM | 339030108 | 390 | 12925 | SOLE
FORD MTR CO DEL | COM | 345370860 | 668 | 62000 | SOLE
DU PONT E I DE NEMOURS & CO | COM | 263534109 | 400 | 10000 | SOLE
GAP INC DEL | COM | 364760108 | 1541 | 90000 | SOLE
KINDRED HEALTHCARE INC | COM | 494580103 | 5616 | 150000 | SOLE`,
  },
  'a class that wraps below': {
    text: `
Name of Issuer              Title of Class CUSIP     Thousands)  Amount
<S>                        <C>            <C>       <C>       <C>
SANOFI                     SPONSORED ADR  80105N105    24,953    488,500 Shared-Defined
STARZ                      LIBRTY CAP     85571Q102    58,085  2,622,340 Shared-Defined
                           COM A
STARZ                      LIBRTY CAP     85571Q102    66,450  3,000,000 Shared-Defined
                           COM A
TORCHMARK CORP             COM            891027104     6,956    116,326 Shared-Defined
`,
    rows: `
SANOFI | SPONSORED ADR | 80105N105 | 24953 | 488500 | Shared-Defined
STARZ | LIBRTY CAP COM A | 85571Q102 | 58085 | 2622340 | Shared-Defined
STARZ | LIBRTY CAP COM A | 85571Q102 | 66450 | 3000000 | Shared-Defined
TORCHMARK CORP | COM | 891027104 | 6956 | 116326 | Shared-Defined`,
  },
  'name and class wrap below together': {
    text: `
Name of Issuer      Class          CUSIP         Value      Shares
------------------- -------------- ---------- ---------- -----------
LIBERTY MEDIA       LIB CAP        530322106     260,200   2,500,000  SOLE
  CORPORATION         COM A
GLAXOSMITHKLINE     SPONSORED      37733W105      69,846   1,510,500  SOLE
  PLC               ADR
COCA COLA CO        COM            191216100      30,344     800,000  SOLE
`,
    rows: `
LIBERTY MEDIA CORPORATION | LIB CAP COM A | 530322106 | 260200 | 2500000 | SOLE
GLAXOSMITHKLINE PLC | SPONSORED ADR | 37733W105 | 69846 | 1510500 | SOLE
COCA COLA CO | COM | 191216100 | 30344 | 800000 | SOLE`,
  },
  'name and class wrap above together': {
    text: `
Name of Issuer      Class          CUSIP         Value      Shares
------------------- -------------- ---------- ---------- -----------
LIBERTY MEDIA       LIB CAP
CORPORATION         COM A          530322106     260,200   2,500,000  SOLE
COCA COLA CO        COM            191216100      30,344     800,000  SOLE
GLAXOSMITHKLINE     SPONSORED
PLC                 ADR            37733W105      69,846   1,510,500  SOLE
`,
    rows: `
LIBERTY MEDIA CORPORATION | LIB CAP COM A | 530322106 | 260200 | 2500000 | SOLE
COCA COLA CO | COM | 191216100 | 30344 | 800000 | SOLE
GLAXOSMITHKLINE PLC | SPONSORED ADR | 37733W105 | 69846 | 1510500 | SOLE`,
  },
  'the page ends within a name': {
    text: `
Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
<S>            <C>      <C>         <C>         <C>
Costco Wholesale
Corp.            Com    22160K 10 5     277,779   5,254,000  X
First Data
Corporation      Com    319963 10 4     255,200  10,000,000  X
Wells Fargo &
</TABLE>

<PAGE>

                             EXAMPLE HOLDINGS INC.
                           Form 13F Information Table
                                 December 31, 2006

<TABLE>
<CAPTION>
Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
<S>            <C>      <C>         <C>         <C>
Co. Del          Com    949746 10 1   1,416,953  39,846,820  X
                                         72,656   2,043,200  X
</TABLE>
`,
    rows: `
Costco Wholesale Corp. | Com | 22160K105 | 277779 | 5254000 | X
First Data Corporation | Com | 319963104 | 255200 | 10000000 | X
Wells Fargo & Co. Del | Com | 949746101 | 1416953 | 39846820 | X
Wells Fargo & Co. Del | Com | 949746101 | 72656 | 2043200 | X`,
  },
  'the page ends within the rows of an issuer, with a sum': {
    text: `
Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
Coca Cola        Com    191216 10 0      19,300     400,000  X
Wells Fargo &
Co. Del          Com    949746 10 1   1,416,953  39,846,820  X
                                     ----------- -----------
                                      1,436,253  40,246,820
                                     ----------- -----------
<PAGE>
                             EXAMPLE HOLDINGS INC.

Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
                                         72,656   2,043,200  X
Western Union    Com    959802 10 9     224,200  10,000,000  X
                                     ----------- -----------
                                        296,856  12,043,200
                                     =========== ===========
GRAND TOTAL                           1,733,109  52,290,020
`,
    rows: `
Coca Cola | Com | 191216100 | 19300 | 400000 | X
Wells Fargo & Co. Del | Com | 949746101 | 1416953 | 39846820 | X
Wells Fargo & Co. Del | Com | 949746101 | 72656 | 2043200 | X
Western Union | Com | 959802109 | 224200 | 10000000 | X`,
  },
  'dot leaders': {
    text: `
NAME OF ISSUER               CLASS     CUSIP        VALUE      SHARES
ABBOTT LABS ................ COM ..... 002824100     4,255 .... 100,000 .. SOLE
BECKMAN COULTER INC ........ COM ..... 075811109       455 .... 10,000 ... SOLE
AMERICAN INTERNATIONAL
GROUP INC. ................. COM ..... 026874107    12,000 .... 200,000 .. SOLE
`,
    rows: `
ABBOTT LABS | COM | 002824100 | 4255 | 100000 | SOLE
BECKMAN COULTER INC | COM | 075811109 | 455 | 10000 | SOLE
AMERICAN INTERNATIONAL GROUP INC. | COM | 026874107 | 12000 | 200000 | SOLE`,
  },
  'headings between the rows': {
    text: `
Name of Issuer               Class     CUSIP       (x$1000)    Amount
---------------------------- ------- ----------- ----------- -----------
COMMON STOCK
Abbott Laboratories          COM     002824100         4,255     100,000  SOLE
Becton Dickinson &
Company Incorporated NJ      COM     075887109           722      20,000  SOLE

PREFERRED STOCK

Sealed Air Corporation       PFD     81211K209        17,934     556,100  SOLE
ENERGY
Chevron Texaco Corp          COM     166764100         1,072      15,000  SOLE
`,
    rows: `
Abbott Laboratories | COM | 002824100 | 4255 | 100000 | SOLE
Becton Dickinson & Company Incorporated NJ | COM | 075887109 | 722 | 20000 | SOLE
Sealed Air Corporation | PFD | 81211K209 | 17934 | 556100 | SOLE
Chevron Texaco Corp | COM | 166764100 | 1072 | 15000 | SOLE`,
  },
  'footnote marks at the CUSIP and at the numbers': {
    text: `
Name of Issuer               Class     CUSIP       (x$1000)    Amount
---------------------------- ------- ------------ ------------ -----------
Abbott Laboratories          COM     002824100*         4,255     100,000  SOLE
Becton Dickinson & Co        COM     075887109            722(1)   20,000  SOLE
Boeing Co                    COM     097023105          9,430     274,675(2)  SOLE
                                                          943*     27,467*  SOLE
`,
    rows: `
Abbott Laboratories | COM | 002824100 | 4255 | 100000 | SOLE
Becton Dickinson & Co | COM | 075887109 | 722 | 20000 | SOLE
Boeing Co | COM | 097023105 | 9430 | 274675 | SOLE
Boeing Co | COM | 097023105 | 943 | 27467 | SOLE`,
  },
  'the second line of a name has numbers': {
    text: `
Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
American Express Com    025816 10 9     893,137  17,225,400  X  5, 2
Co.                                     414,522   7,994,634  X  5, 10
                                      6,235,267 120,255,879  X  5, 11
Coca Cola        Com    191216 10 0      90,138   1,792,000  X  5
Gannett Inc.     Com    364730 10 1     304,664   3,456,600  X  5
TOTAL                                 7,937,728 150,724,513
`,
    rows: `
American Express Co. | Com | 025816109 | 893137 | 17225400 | X 5, 2
American Express Co. | Com | 025816109 | 414522 | 7994634 | X 5, 10
American Express Co. | Com | 025816109 | 6235267 | 120255879 | X 5, 11
Coca Cola | Com | 191216100 | 90138 | 1792000 | X 5
Gannett Inc. | Com | 364730101 | 304664 | 3456600 | X 5`,
  },
  'managers that wrap, the votes beside or below': {
    text: `
Name of Issuer      Class     CUSIP      Thousands)    Amount            Managers         Sole
- ----------------- ------ ------------ ----------- ------------ ----- --------------- -----------
Dover Corp.         Com    260003 10 8      88,769    2,165,100    X    4, 8, 9, 11,     2,165,100
                                                                        14, 15
Citigroup           Com    172967 10 1       3,172       62,121    X    4, 1, 2,
                                                                        6, 11, 14           62,121
                                           231,733    4,538,438    X    4, 11, 14        4,538,438
Liz Claiborne       Com    539320 10 1       9,478      334,200    X    4, 11, 14          334,200
`,
    rows: `
Dover Corp. | Com | 260003108 | 88769 | 2165100 | X 4, 8, 9, 11, 14, 15 2,165,100
Citigroup | Com | 172967101 | 3172 | 62121 | X 4, 1, 2, 6, 11, 14 62,121
Citigroup | Com | 172967101 | 231733 | 4538438 | X 4, 11, 14 4,538,438
Liz Claiborne | Com | 539320101 | 9478 | 334200 | X 4, 11, 14 334,200`,
  },
  'name and managers wrap on the same line': {
    text: `
NAME OF ISSUER      CLASS     CUSIP         VALUE      SHARES          MANAGERS        SOLE
<S>                 <C>    <C>          <C>         <C>          <C>   <C>             <C>
GREAT LAKES         COM    390568103       195,745    6,948,700  DFND  4, 8, 9, 11,     6,948,700
 CHEMICAL CORP                                                         14, 15
LIZ CLAIBORNE       COM    539320101         9,478      334,200  DFND  4, 11, 14          334,200
`,
    rows: `
GREAT LAKES CHEMICAL CORP | COM | 390568103 | 195745 | 6948700 | DFND 4, 8, 9, 11, 14, 15 6,948,700
LIZ CLAIBORNE | COM | 539320101 | 9478 | 334200 | DFND 4, 11, 14 334,200`,
  },
  'a sum of each issuer, without a rule': {
    text: `
Name of Issuer   Class     CUSIP       (x$1000)    Amount
- -------------- -------- ----------- ----------- -----------
Coca Cola        Com    191216 10 0      19,300     400,000  X
                                         85,692   1,776,000  X
                                        104,992   2,176,000

M & T Bank
Corporation      Com    55261F 10 4     732,601   5,997,060  X
                                         66,699     546,000  X
                                        799,300   6,543,060

Nike Inc.        Com    654106 10 3     396,120   4,000,000  X
`,
    rows: `
Coca Cola | Com | 191216100 | 19300 | 400000 | X
Coca Cola | Com | 191216100 | 85692 | 1776000 | X
M & T Bank Corporation | Com | 55261F104 | 732601 | 5997060 | X
M & T Bank Corporation | Com | 55261F104 | 66699 | 546000 | X
Nike Inc. | Com | 654106103 | 396120 | 4000000 | X`,
  },
  'CUSIPs with a slip of the pen, and rows that continue them': {
    text: `
Name of Issuer         Class     CUSIP       (x$1000)    Amount
- -------------------- ------- ------------ ----------- -----------
Sun Trusts Banks
   Inc.                Com    867914 10 3      364,228   5,781,400  X
Superior Industries
   Int'l               Com    868168 10 F        5,662     179,400  X
                                                 1,000      31,700  X
Wellpoint Inc.         Com   949773V 10 7      228,768   4,800,000  X
`,
    rows: `
Sun Trusts Banks Inc. | Com | 867914103 | 364228 | 5781400 | X
Superior Industries Int'l | Com | 86816810F | 5662 | 179400 | X
Superior Industries Int'l | Com | 86816810F | 1000 | 31700 | X
Wellpoint Inc. | Com | 949773V107 | 228768 | 4800000 | X`,
  },
  'a second class without a name; a holding without a CUSIP': {
    text: `
Name of Issuer         Class     CUSIP       (x$1000)    Amount
- -------------------- ------- ------------ ----------- -----------
Sealed Air
   Corporation         Com     81211K 10 0      131,299   4,304,900  X
                       PFD CVA 81211K 20 9       17,934     556,100  X
Private Company        Com                        5,000     100,000  X
                                                  2,000      40,000  X
Nike Inc.              Com     654106 10 3      396,120   4,000,000  X
`,
    rows: `
Sealed Air Corporation | Com | 81211K100 | 131299 | 4304900 | X
Sealed Air Corporation | PFD CVA | 81211K209 | 17934 | 556100 | X
Nike Inc. | Com | 654106103 | 396120 | 4000000 | X`,
  },
  'one blank between name and class': {
    text: `
Name of Issuer      Class   Number     (x$1000)     Amount     SH/PRN

APPLICA INC         Common 03815A106        605       100,000  SH

CHUNGHWA TELECOM CO Common 17133Q205      1,083        77,300  SH
 LTD

BALLARD PWR SYS INC Common 05858H104        530        40,300  SH
BANK NEW YORK INC   Common 064057102        512        17,600  SH
`,
    rows: `
APPLICA INC | Common | 03815A106 | 605 | 100000 | SH
CHUNGHWA TELECOM CO LTD | Common | 17133Q205 | 1083 | 77300 | SH
BALLARD PWR SYS INC | Common | 05858H104 | 530 | 40300 | SH
BANK NEW YORK INC | Common | 064057102 | 512 | 17600 | SH`,
  },
  'the whole name above, class and CUSIP alone below': {
    text: `
Name of Issuer           Class     CUSIP       (x$1000)    Amount
------------------------ ------- ----------- ----------- -----------
General Electric Co      COM     369604103        13,374     588,900  SOLE
American International Group Incorporated
                         COM     026874107        12,000     200,000  SOLE
Boeing Co                COM     097023105         9,430     274,675  SOLE
`,
    rows: `
General Electric Co | COM | 369604103 | 13374 | 588900 | SOLE
American International Group Incorporated | COM | 026874107 | 12000 | 200000 | SOLE
Boeing Co | COM | 097023105 | 9430 | 274675 | SOLE`,
  },
};
