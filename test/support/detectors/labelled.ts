/*
 * 300 texts with one secret each and 600 harmless texts. The secrets are built when the tests run, from a list of
 * formats that is written from the vendors' pages and not from the detectors, so that no file of the repository contains
 * one. The random numbers have a fixed seed.
 */

export interface LabelledSecret {
  readonly text: string;
  readonly secret: string;
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const HEX = `${DIGITS}abcdef`;
const LETTERS = LOWER + LOWER.toUpperCase();
const ALNUM = DIGITS + LETTERS;
const UPPER = LOWER.toUpperCase() + DIGITS;
const URL_SAFE = `${ALNUM}_-`;
const BASE64 = `${ALNUM}+/`;

/** The alphabets of a form such as `x{40}`: the letter names the alphabet. */
const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  l: LOWER,
  k: LOWER + DIGITS,
  x: HEX,
  a: ALNUM,
  u: UPPER,
  w: URL_SAFE,
  b: BASE64,
  t: LETTERS,
  s: `${LOWER.toUpperCase()}234567`,
  n: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

class Dice {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(this.state / 65_536) % limit;
  }

  pick<Item>(items: ArrayLike<Item>): Item {
    return items[this.below(items.length)] as Item;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick(alphabet)).join('');
  }

  /** Replaces each `<x40>` of a form with 40 characters of the alphabet `x`. */
  fill(form: string): string {
    return form.replaceAll(/<([a-z])(\d+)>/g, (_, name: string, length: string) =>
      this.text(ALPHABETS[name] ?? '', Number(length)),
    );
  }
}

const UUID = '<x8>-<x4>-4<x3>-a<x3>-<x12>';

/** The forms of tokens. A `·` divides a prefix and is dropped. */
const TOKENS = `
AK·IA<s16>
AS·IA<s16>
ABSKQmVkcm9ja0FQ·SUtleS<b96>
AI·za<w35>
AQ·.Ab8RN6<w44>
GOC·SPX-<w28>
ya·29.a0<w120>
sk·-proj-<w74>T3BlbkFJ<w74>
sk·-ant-api03-<w93>AA
sk·-or-v1-<x64>
sk·-<x32>
gs·k_<a52>
xa·i-<a80>
pp·lx-<a48>
fw·_<a24>
cs·k-<k48>
tv·ly-dev-<a32>
fc·-<x32>
pc·sk_<a6>_<a63>
pa·-<w43>
sk·_<x48>
r8·_<a37>
hf·_<t34>
nv·api-<w64>
tg·p_v1_<w43>
jina·_<x32><a28>
lsv2·_pt_<x32>_<x10>
sk·-lf-${UUID}
ll·x-<a48>
sb·p_<x40>
sb·_secret_<w22>_<w8>
vcp·_<a56>
vck·_<a56>
vercel_blob·_rw_<a16>_<a30>
cf·ut_<a40><x8>
cf·at_<a40><x8>
v1.0·-<x24>-<x146>
re·_<a8>_<a24>
ph·x_<a43>
na·pi_<k64>
pat·<a14>.<x64>
dckr·_pat_<w27>
dckr·_oat_<w32>
ci·o<a32>
AK·Cp8<a68>
cmVm·dGtu<a56>
ops·_eyJ<b280>
A3·-<u6>-<u6>-<u5>-<u5>-<u5>-<u5>
sk·.eyJ1Ijoi<a60>.<w22>
access·-sandbox-${UUID}
e2·b_<x40>
fo·1_<w43>
as·-<a22>
gh·p_<a36>
github·_pat_<a22>_<a59>
gh·s_<a36>
gl·pat-<w20>
gl·dt-<w20>
ATA·TT3<w180>=<u8>
AT·BB<a32>
np·m_<a36>
py·pi-AgEIcHlwaS5vcmc<w120>
ruby·gems_<x48>
oy·2<k43>
CLO·JARS_<x60>
xo·xb-<d12>-<d13>-<a24>
xa·pp-1-A<u10>-<d13>-<x64>
https://hooks.slack·.com/services/T<u10>/B<u10>/<a24>
MTk4·NjIyNDgzNDcxOTI1MjQ4.<w6>.<w38>
<d10>:A·A<w33>
S·G.<w22>.<w43>
ke·y-<x32>
<x32>·-us12
S·K<x32>
xke·ysib-<x64>-<a16>
sk·_live_<a24>
sk·_test_51<a97>
rk·_live_<a24>
wh·sec_<a32>
shp·at_<x32>
sq·0csp-<w43>
EA·AA<w60>
rzp·_live_<a14>
FLW·SECK_TEST-<x32>-X
dop·_v1_<x64>
dap·i<x32>
hv·s.<w90>
NR·AK-<u27>
gl·sa_<a32>_<x8>
PM·AK-<x24>-<x34>
fi·gd_<w40>
li·n_api_<a40>
nt·n_<a46>
psc·ale_tkn_<w43>
pul·-<x40>
HR·KU-AA<w58>
nf·p_<a36>
rnd·_<a32>
AGE-SECRET·-KEY-1<n58>
sn·trys_<w80>_<w43>
<a14>·.atlasv1.<w67>
dp·.st.prd.<a40>
CF·PAT-<w43>
pat·-na1-${UUID}
AV·NS_<w19>
ts·key-auth-<a17>-<a32>
bk·ua_<x40>
CC·IPAT_<a22>_<x40>
sq·p_<x40>
dt0·c01.<u24>.<u64>
api·fy_api_<a36>
wandb·_v1_<a40>
LT·AI<a20>
EZ·AK<x54>
shi·ppo_live_<x40>
hca·ik_<k58>
sgp·_<x16>_<x40>
APP_·USR-<d16>-<d6>-<x32>-<d9>
<a3>8·Q~<w34>
eyJhbGciOiJIUzI1NiJ9·.eyJzdWIiOiI<w40>.<w43>
`
  .trim()
  .split('\n');

/** Where a token stands. `#` is the token, `$` a name in capitals. */
const PLACES = `
The key is #, please rotate it.
I found \`#\` in the build log of yesterday.
$=#
export $="#"
"apiKey": "#",
| production | # | 2025-01-04 |
prod,#,active
  token: '#'
<ApiKey>#</ApiKey>
define('$', '#');
const client = new Client({ key: "#" });
[12:04:31] WARN request failed, credential # was refused
Authorization: Bearer #
curl -H "X-Api-Key: #" https://api.a.example/v1/items
Use # for the sandbox and another one in production.
tool login --token #
"#"
# is what I use.
- staging: **#**
ENV $ #
client = Client(#)
Der Schlüssel lautet #.
> # (do not share)
set -gx $ '#'
{"level":"info","msg":"connected","auth":"#"}
`
  .trim()
  .split('\n');

/** Values without a form of their own, which only their surroundings show as secrets. \`#\` is the value. */
const LABELLED: readonly (readonly [form: string, ...places: string[]])[] = [
  [
    '<a20>',
    'api_key = "#"',
    'X-API-Key: #',
    '| API key | # |',
    '| `API_KEY` | `#` | required |',
    '<apiKey>#</apiKey>',
    '<add key="ApiKey" value="#" />',
    "define('API_KEY', '#');",
    '"apiKey": "#"',
    'api-key: #',
    'tool --api-key # run',
    'tool --api-key=# run',
    '?api_key=#&page=2',
    'os.environ["API_KEY"] = "#"',
    "process.env.API_KEY = '#'",
    'The API key is #.',
    'Your API key: `#`',
    'apiKey := "#"',
    'API_KEY,#',
    '"api_key","#"',
  ],
  [
    '<a6>!<d2><l4>',
    'DB_PASSWORD=#',
    'password: #',
    '"password": "#"',
    '<password>#</password>',
    'spring.datasource.password=#',
    "define('DB_PASSWORD', '#');",
    'machine a.example login deploy password #',
    'mysqldump -u root -p# shop',
    'psql-tool --password # --host db',
    'psql-tool --password=# --host db',
    'mongo -u admin -p # shop',
    'docker login -u deploy -p # registry.a.example',
    '| password | # |',
    '| db user | db password |\n| --- | --- |\n| app | # |',
    'user,password\napp,#',
    'The password is #',
    'Passwort: #',
    'contraseña: #',
    'mot de passe : #',
    'пароль: #',
    '密码：#',
    'PWD = #;',
    'Server=db;User Id=app;Password=#;',
    'identified by password=#',
    '<connection password="#" />',
    'smtp_pass: #',
    'sshpass -p # ssh ops-1@a.example',
    'export PGPASSWORD=#',
    'redis-cli -a # ping',
    'wget --http-password=# https://a.example',
    'login: app\npassword: #',
    "$config['password'] = '#';",
  ],
  [
    '<b40>',
    'aws_secret_access_key = #',
    'AWS_SECRET_ACCESS_KEY: #',
    '"SecretAccessKey": "#"',
    '| Secret access key | # |',
    '<SecretAccessKey>#</SecretAccessKey>',
    'aws configure set aws_secret_access_key #',
    'secret access key #',
  ],
  [
    '<x32>',
    'SECRET_KEY_BASE=#',
    'client_secret: #',
    '"clientSecret":"#"',
    '<clientSecret>#</clientSecret>',
    'DD_API_KEY=#',
    '| client_id | client_secret |\n|---|---|\n| web | # |',
    'auth_token = "#"',
    'TWILIO_AUTH_TOKEN=#',
    'access_token=#&expires=3600',
    'webhook secret: #',
    'signing_secret="#"',
    'encryption-key: #',
    'Token: #',
    "'token' => '#'",
    'SESSION_SECRET: "#"',
  ],
  [
    '<a24>',
    'session-token: #',
    'refresh_token: "#"',
    'my new password is # and it works',
    'let secret = "#";',
    'CLIENT_SECRET=#',
    'x-auth-token: #',
    'curl -u admin:# https://a.example',
    'postgres://app:#@db.a.example:5432/shop',
    'mongodb+srv://svc:#@cluster0.a.example/test',
    'redis://:#@cache.a.example:6379/0',
    'amqps://svc:#@mq.a.example/vhost',
    'https://deploy:#@git.a.example/repo.git',
    'jdbc:postgresql://db.a.example/shop?user=app&password=#',
    '//registry.npmjs.org/:_authToken=#',
    'Authorization: Bearer #',
    'Authorization: Token #',
    'bot_secret => "#"',
    'secretKey = #',
    'private_token: #',
    'MASTER_KEY=#',
    '<Secret>#</Secret>',
    '<string name="client_secret">#</string>',
    'storage_key: "#"',
    'JWT_SECRET=#',
    'ADMIN_PASS="#"',
  ],
];

const NAMES = ['SERVICE_KEY', 'VENDOR_TOKEN', 'APP_CREDENTIAL', 'CI_AUTH', 'UPSTREAM_SECRET'];

const KEY = ['PRIVATE', 'KEY'].join(' ');

function privateKeys(dice: Dice): readonly string[] {
  const lines = (count: number): string =>
    Array.from({ length: count }, () => dice.text(BASE64, 64)).join('\n');
  return ['RSA ', 'EC ', 'OPENSSH ', ''].map(
    (kind) => `-----BEGIN ${kind}${KEY}-----\n${lines(5)}\n-----END ${kind}${KEY}-----`,
  );
}

/** Splits a token with zero-width characters or a line break, as in a table cell or an e-mail. */
const SPLITS = ['\u200b', '\u2060', '\ufeff', '\n', '\r\n', '\u00ad', '\\\n', '\u200d'];

function secrets(): readonly LabelledSecret[] {
  const dice = new Dice(20_251_128);
  const all: LabelledSecret[] = [];
  const add = (place: string, secret: string): void => {
    const text = place.replace(/\$(?!config)/, dice.pick(NAMES)).replace('#', () => secret);
    all.push({ text, secret });
  };
  let place = 0;
  const token = (form: string): string => dice.fill(form.replace('·', ''));
  for (const form of TOKENS) add(PLACES[place++ % PLACES.length] ?? '#', token(form));
  for (const [form, ...places] of LABELLED) for (const labelled of places) add(labelled, dice.fill(form));
  for (const key of privateKeys(dice)) add('#', key);
  const long = TOKENS.filter((form) => /<[a-z][3-6]\d>/.test(form));
  for (let index = 0; all.length < 300; index++) {
    const secret = token(long[(index * 7) % long.length] ?? '');
    const middle = Math.floor(secret.length / 2) + (index % 3) - 1;
    const split = secret.slice(0, middle) + (SPLITS[index % SPLITS.length] ?? '') + secret.slice(middle);
    if (index % 2 === 0) add(PLACES[index % PLACES.length] ?? '#', secret);
    else add('The key is #\nand more.', split);
  }
  return all;
}

export const LABELLED_SECRETS: readonly LabelledSecret[] = secrets();

/** Each line is a text. Random parts are written as in `TOKENS`; the number is how often the line is used. */
const HARMLESS_FORMS = `
12 commit <x40>
6 Merge commit <x7> into release/2.4
4 index <x7>..<x7> 100644
6 sha256:<x64>
4 "integrity": "sha512-<b86>=="
4     resolved "https://registry.a.example/pkg/-/pkg-1.4.2.tgz#<x40>"
4 pkg@^1.2.3: version "1.4.2" integrity sha512-<b86>==
4 checksum = "<x64>"
4 github.com/a/b v1.2.3 h1:<b43>=
8 ${UUID}
6 request_id=${UUID} status=200
4 {"id":"${UUID}","name":"main","items":3}
8 trace_id: <x32> span_id: <x16>
4 traceparent: 00-<x32>-<x16>-01
4 ETag: W/"<x32>"
4 data:image/png;base64,iVBORw0KGgo<b120>
3 url(data:font/woff2;base64,d09GMgABAAAA<b90>)
3 <img src="data:image/gif;base64,R0lGODlhAQABAIAAAP<b40>==">
3 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<b43> ops-1
3 ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ<b120>
3 SHA256:<b43> ops-1 (ED25519)
3 -----BEGIN CERTIFICATE-----
4 docker pull a.example/app@sha256:<x64>
3 image: a.example/app:build-<x12>
3 Container <x12> exited with code 0
4 main.<x8>.js 182 kB
4 /assets/index-<w8>.css
3 <script src="/app.js" integrity="sha384-<b64>" crossorigin="anonymous"></script>
4 https://cdn.a.example/img/<x32>.png
3 https://www.video.example/watch?v=<w11>
3 https://docs.a.example/d/<w44>/edit
3 https://a.example/s/<a22>?utm_source=mail&utm_campaign=<k12>
3 arn:aws:s3:::bucket-<k12>/logs/2025/01/04
3 arn:aws:lambda:eu-west-1:123456789012:function:resize-<k8>
3 vpc-<x17> subnet-<x17> sg-<x17>
3 i-<x17> is running
3 price_<a24> is the id of a price
3 cus_<a14> has 3 invoices
3 pi_<a24> succeeded
3 pk_live_<a24>
2 pk_test_<a24>
2 sb_publishable_<w22>_<w8>
3 phc_<a43>
2 pk.eyJ1Ijoi<a60>.<w22>
2 client_id: <d12>-<k32>.apps.a.example
3 AC<x32>
3 G-<u10> and UA-<d8>-1
2 prj_<a28> team_<a24>
2 dpl_<a28>
2 wf_run_<a20> finished
3 msg_<a24>
3 call_<a24>
3 chatcmpl-<a29>
2 run_<a24> thread_<a24>
3 toolu_<a24>
3 file-<a22>
3 nanoid: <w21>
6 ULID 01J<u23>
3 0x<x40>
3 bc1q<k38>
2 ipfs://Qm<a44>
3 block 0x<x64>
3 .css-<k6>{color:#<x6>;background:#<x6>}
3 color: #<x6>; border: 1px solid #<x3>
2 a.b.<k6>=function(t){return t.<k2>+e.<k2>};var <k2>=1
2 !function(e,t){"object"==typeof exports?module.exports=t():e.<k6>=t()}(this,function(){})
2 webpackJsonp([1],{"<a4>":function(e,t,n){e.exports=n("<a4>")}})
2 mappings: "AAAA,SAASA,<a8>,CAAC,MAAM,<a8>;AACA,IAAI<a6>"
3 cache key: app-<x40>
3 Cache-Key: v1-npm-<x64>
3 primary_key: item_<d8>
3 sort_key = order#<d10>
3 partition key: tenant-<d4>-2025
3 public_key = <x66>
3 s3_key: uploads/2025/01/<x32>.jpg
3 key: "user:<d8>:profile"
3 idempotency-key: ${UUID}
3 storage key a/b/<x16>/c.bin
3 csrf: the token is renewed after 30 minutes
3 keyframes spin-<k6> { from { opacity: 0 } }
3 next_page_token=<b24>
2 "nextToken": "<b40>"
2 continuation token <b32>
2 sync_token: <d13>
3 tokens used: <d4> of 128000
2 token_count: <d6>
2 license: MIT-<d4>
3 serial <u4>-<u4>-<u4>
3 Build <d8>.<d2> (<x7>)
3 version 1.<d2>.<d2>-rc.1+<x8>
2 row <d3> | <d3>.<d2> | <d3>.<d2> | <d4>
2 <d3>,<d3>,<d3>,<d3>,<d3>,<d3>
2 0.<d6> 0.<d6> 0.<d6> 1.<d6>
2 [<d2>, <d2>, <d2>, <d3>, <d1>, <d2>]
2 <x2> <x2> <x2> <x2> <x2> <x2> <x2> <x2>  |........|
2 00000010: <x4> <x4> <x4> <x4> <x4> <x4> <x4> <x4>
2 \\x<x2>\\x<x2>\\x<x2>\\x<x2>
2 order_<d8> shipped with label LB<d8>US
2 Fixed in #<d4> by <x10>
2 go.sum: <b43>=
2 GUID {<x8>-<x4>-<x4>-<x4>-<x12>}
2 ObjectId("<x24>")
2 _id: <x24>
2 hash=<x32>
2 md5(<k6>) = <x32>
2 X-Amz-Request-Id: <u16>
2 cf-ray: <x16>-FRA
2 set-cookie: theme=dark; Path=/; Max-Age=31536000
2 nonce-<a22>
2 <circle cx="<d2>" cy="<d2>" r="4"/><path d="M<d2> <d2>l<d1>-<d2>z"/>
2 M12.<d2> 4.<d3>c0-<d1>.<d2> 1.<d2>-<d1> 2.<d2>z
2 test_<k8>_returns_404_when_missing
2 expect(hash('a')).toBe('<x64>');
2 const id = 'item-<k12>';
2 <a12>== is base64 of something short
2 Step <d1>/<d2> : RUN echo <x12>
2 inode <d8> size <d7>
`
  .trim()
  .split('\n');

const HARMLESS_TEXTS = `
postgres://user:password@localhost/shop
postgresql://postgres:postgres@localhost:5432/app
mysql://user:pass@localhost:3306/db
mongodb://username:password@host:27017/admin
mongodb+srv://<username>:<password>@cluster0.a.example/test
redis://:password@localhost:6379
amqp://guest:guest@localhost:5672
DATABASE_URL="postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
postgres://USERNAME:PASSWORD@localhost:5432/mydb?sslmode=disable
https://user:token@git.a.example/repo.git
https://\${USER}:\${TOKEN}@git.a.example/repo.git
https://x-access-token:$GITHUB_TOKEN@git.a.example/repo.git
postgres://{user}:{password}@{host}:{port}/{db}
jdbc:mysql://localhost:3306/shop?user=root&password=<password>
http://localhost:3000/users/@me
password=<your-password>
password: ********
PASSWORD=changeme
DB_PASSWORD=\${DB_PASSWORD:-postgres}
password: {{ .Values.db.password }}
password: !vault |
export OPENAI_API_KEY=sk-...
OPENAI_API_KEY=your-api-key-here
OPENAI_API_KEY=sk-your-api-key-here-replace-me-please
api_key="YOUR_API_KEY_123"
API_KEY=replace_me_2025
api_key: <insert key here>
api_key = os.getenv("API_KEY_V2")
apiKey: process.env.MAP_KEY_2
const apiKey = config.get('services.map2.key');
token = generate_token(32)
token = secrets.token_hex(16)
const token = jwt.sign({ id: 7 }, secret, { expiresIn: '1h' });
token: \${{ secrets.GITHUB_TOKEN }}
secretKeyRef: { name: app-secrets-2, key: password1 }
password: String @length(min: 12)
validate_password(length=12, digits=2)
password_min_length: 12
PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']
<input type="password" id="password1" autocomplete="new-password">
<label for="token2">Token</label>
<TextField name="apiKey2" label="API key" />
passwordField2.setText("")
user.password = hash_password2(raw)
if (token !== expectedToken2) return 401;
assert token == "test-token"
secret = "test"
password = "password123"
Use 8 to 64 characters for the password.
| Setting | Default |
| password | none |
| token | string | the token of the session |
| api_key | string | required, from the console |
| \`password\` | \`string\` | at least 12 characters, see RFC8265 |
| Key | Type | Example |
| key | value1 | value2 |
| token | 2025-01-04 | active |
| Password policy | ISO27001 | yes |
password,string,required
token,expires_at,created_at
id,token_type,scope
<token>...</token>
<password>\${db.password}</password>
<property name="password" value="\${DB_PASSWORD1}"/>
<password></password>
<add key="TokenLifetime" value="3600seconds" />
define('DB_PASSWORD', 'password_here');
define('AUTH_KEY', 'put your unique phrase here');
define('DB_PASSWORD', getenv('DB_PASSWORD2'));
machine a.example login USER password PASSWORD
mkdir -p build/release2024
mkdir -p /var/lib/app1/data
cp -p file1.txt backup2/
ssh -p 2222 ops-1@host
ssh -p2222 host.example
nmap -p1-65535 10.0.0.1
nmap -p 80,443 host
docker run -p 8080:80 app
docker run -p8080:8080 -d web1
tar -xpf archive2024.tar
ps -p 12345 -o pid
git log -p abc1234
git log -p --since=2024-01-01
git add -p src/main2.ts
npm install -p package1
python -m http.server -p 8000
patch -p1 < fix2.diff
node -p "1 + 1"
lsof -p 4242
perl -pi -e 's/a1/b2/g' x
protoc -proto_path=src2 x.proto
java -processor lombok1 Main
mysql -u root -p shop2024
mysql --password -u root
psql --no-password -d shop2
useradd -p "$PASS1" deploy
docker login -u USERNAME -p PASSWORD
docker login --password-stdin registry1.example
tool --password-file=/run/secrets/db1
tool --password "$DB_PASSWORD"
tool --token-ttl 3600s
tool --api-key-file keys1.txt
curl -u user:password https://a.example
curl -u "$USER:$PASS1" https://a.example
curl -u username:api_token https://a.example
Authorization: Bearer <access_token>
Authorization: Bearer {token}
Authorization: Basic <credentials>
Authorization: Basic base64(user:password)
bearer_token_file: /var/run/secrets/token1
Bearer authentication uses tokens2
Set the Authorization header to Bearer followed by your token.
The token ring of 1985 had 16 Mbit/s.
secret santa 2025: meet at 18:00
The secret: 3 eggs and 250g of flour.
The secret is 42hours of patience.
My secret is that I like K-pop2.
The key is to keep 12hour shifts short.
The password is case-sensitive2.
The pass is open until 2025-06-01
pass rate: 98.5percent
passed: 128/130tests
pass: 2x4lumber
Boarding pass: gate B12, seat 14C
token: ERC20Token
token = ERC721Upgradeable
tokenName: MyToken2024
"token_endpoint": "https://a.example/oauth2/v1/token"
secret_name = prod/app1/db
SECRET_ID=projects/p1/secrets/db/versions/3
credentials: include
credential_process = /opt/bin/aws-creds-v2
AWS_PROFILE=prod-readonly2
AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
Tokens begin with ghp_, gho_ or github_pat_ since 2021.
xoxb-your-token-here
xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx
sk_live_xxxxxxxxxxxxxxxxxxxxxxxx
sk_test_your_key_goes_here
sk-ant-api03-xxxxxxxxxxxxxxxxxxxx
AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
glpat-xxxxxxxxxxxxxxxxxxxx
npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
fc-YOUR_API_KEY and tvly-YOUR_API_KEY
re_xxxxxxxx_xxxxxxxxxxxxxxxxxxxxxxxx
npm_config_cache and npm_package_version are variables.
fc-cache -fv refreshes fonts; fc-list shows them
pa-11y checks pages, pa-rtial views do not
re_compile_pattern_with_flags_and_groups_2
sk_buff_head_init and sk_stream_wait_memory are in the kernel
pat_matching_with_nested_constructors_and_guards
ops_per_second_in_the_benchmark_of_2024
hf_transformers_pipeline_for_question_answering
as-is, as-a-service, as-implemented-in-the-paper-of-2021
e2b is a format, e2e_tests_run_in_ci_on_every_push
fw_printenv and fw_setenv change the boot variables
sb_secret_ and sb_publishable_ are the prefixes of keys
sbp_ begins a personal token, napi_ one of another vendor
vcp_region_of_the_display_controller_register_map
api_version_2024_10_21_preview_of_the_service
phx_router_and_phx_endpoint_are_modules
cf_turnstile_response_is_the_name_of_the_field
SKU12345678901234567890123456789012
SK-2024-001 and SK-2024-002 are on sale
AKIA and ASIA are prefixes.
The function eyJust is misspelled.
hvs.com is a shop
s.replace(a1, b2).split(c3)
rk_live_updates_for_the_dashboard_of_2024
dapi-docs and dapi_client_v2
pul-request-template-for-new-contributors-2024
xapp-framework-version-12-released
shpat_ is for admin apps, shpss_ is shared
whsec_ is the prefix of signing secrets
lin_reg_model_fit_intercept_true_normalize
pscale_pw_ begins a database password
rnd_seed_2024_for_all_experiments_in_the_paper
li2024 is the id of the list
-----BEGIN PUBLIC KEY----- begins a public key
-----BEGIN PRIVATE KEY----- begins a private key, so never share it
keyof typeof COLORS_2024
foreign key (order_id2) references orders2(id)
PRIMARY KEY (user_id, created_at2)
Press any key: F12, Ctrl+Alt+Del
The piece is in the key: B-flat7
hotkey: ctrl+shift+p2
monkey: banana12345
keyboard_layout: us-intl-v2
registry_key: HKLM/SOFTWARE/App2
api.key.rotation.days=90days
access_key_last_used: 2025-01-04T10:11:12Z
secret_version: 2025-01-04T10:11:12Z
token_expires: 2025-01-04T10:11:12Z
password_changed_at = 2025-01-04T10:11:12Z
last_password_reset: 1736000000
password: required|min:8|regex:/[0-9]/
"password": { "type": "string", "minLength": 12 }
password: z.string().min(12).max(72)
password VARCHAR(255) NOT NULL
token BYTEA DEFAULT gen_random_bytes(32)
String password = request.getParameter("password1");
string token = await GetTokenAsync(scope1);
val token = prefs.getString("token1", null)
let token = &headers["x-auth-token1"];
token := strings.TrimPrefix(header1, "Bearer ")
$password = $_POST['password1'];
$token = bin2hex(random_bytes(32));
password = input("Password 1: ")
password = getpass.getpass()
self.token = self.client1.token
token=\${1:-default}
token=$(cat /run/secrets/token1)
PASS=$(openssl rand -base64 24)
SECRET=$(aws secretsmanager get-secret-value --secret-id db1)
secret: sops-encrypted-file-v3
kms_key: alias/app-prod-2
key_vault: kv-prod-westeurope-01
ssh_key: ~/.ssh/id_ed25519
private_key_path = /etc/ssl/private/app1.key
tls_key: /etc/ssl/app2.key
public_key: /etc/ssl/app2.pub
AUTH_SECRET: must be at least 32 characters
auth: { strategy: 'jwt2', session: false }
session: 2h30m
session_token_ttl: 12hours
clave: valor1
senha: minima8
The Wi-Fi password is on the back of the router.
The table has 3 columns: name, key and value2.
Two-factor tokens have 6 digits.
What does the token abc mean?
A pass-through of 100percent
| A | B | C |
| 1.25 | 3.50 | 1,024 |
| 2025-01-04 | 12:30 | 98.6 |
| #1a2b3c | #ffffff | rgb(1 2 3) |
Lorem ipsum dolor sit amet, consectetur adipiscing elit.
for (let i = 0; i < 10; i++) { sum += values[i]; }
SELECT id, name FROM items WHERE created_at > '2025-01-04';
Temperature 21.5, humidity 48, pressure 1013
Chapter 3.2.1 explains how keys are rotated.
Die Taste F5 lädt die Seite neu.
Le mot de passe doit contenir 12 caractères.
La contraseña debe tener 8 caracteres.
Пароль должен содержать 8 символов.
密码长度为8到64个字符
`
  .trim()
  .split('\n');

function harmless(): readonly string[] {
  const dice = new Dice(19_780_401);
  const formed = HARMLESS_FORMS.flatMap((line) => {
    const [, times = '', form = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
    return Array.from({ length: Number(times) }, () => dice.fill(form));
  });
  return [...formed, ...HARMLESS_TEXTS];
}

export const LABELLED_HARMLESS: readonly string[] = harmless();
