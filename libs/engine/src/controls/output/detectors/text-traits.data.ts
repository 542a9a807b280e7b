/** What the findings of a detector contain, as bits: each is twice the one before. A text without it is not searched. */
export const TRAITS = {
  none: 0,
  two_digits: 1,
  six_digits: 2,
  thirteen_digits: 4,
  dotted_number: 8,
  capitals: 16,
  value: 32,
  word: 64,
  // Characters that stand beside each other.
  at_sign: 128,
  call_abroad: 256,
  colon: 512,
  scheme: 1024,
  /** A scheme and an at sign. */
  credentials: 1152,
  encoded_key: 2048,
  fly_token: 4096,
  jwt: 8192,
  option: 16384,
  private_key: 32768,
  shared_access: 65536,
  sshpass: 131072,
  label: 262144,
  basic: 524288,
  bearer: 1048576,
} as const;

export type Trait = keyof typeof TRAITS;

/** Two characters of every finding or of its label, or one if any can follow. */
export const PAIRS: Partial<Record<Trait, string>> = {
  at_sign: '@',
  call_abroad: '+ 00',
  colon: ':: :0 :1 :2 :3 :4 :5 :6 :7 :8 :9 :a :b :c :d :e :f :A :B :C :D :E :F',
  scheme: ':/',
  encoded_key: 'S0 II Hc IG C4 3B',
  fly_token: 'm1 m2',
  jwt: 'yJ',
  option: '-u -p -a',
  private_key: 'KE',
  shared_access: 'g=',
  sshpass: 'hp',
  label: 'ss SS pw PW Pw cr CR ok OK ke KE Ke nw NW tr TR av AV nh NH \0\0',
  basic: 'ba BA Ba',
  bearer: 'ok OK be BE Be',
};
