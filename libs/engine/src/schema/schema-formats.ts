type FormatCheck = (text: string) => boolean;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const EMAIL = /^[^\s@<>"(),:;[\]\\]{1,64}@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const WEEKS = /^P\d{1,9}W$/;
const DURATION =
  /^P(?=\d|T\d)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}(?:[.,]\d{1,9})?S)?)?$/;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= days;
}

function isUri(text: string): boolean {
  return !/[\s\p{Cc}<>"\\^`{|}]/u.test(text) && URL.canParse(text);
}

/** The formats that are checked, each by a bounded check. A format of another name is an annotation and judges nothing. */
export const SCHEMA_FORMATS: Readonly<Record<string, FormatCheck>> = {
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) && /^[Tt ]$/.test(text.charAt(10)) && TIME.test(text.slice(11)),
  duration: (text) => DURATION.test(text) || WEEKS.test(text),
  hostname: (text) => text.length <= 253 && text.split('.').every((label) => LABEL.test(label)),
  email: (text) => text.length <= 254 && EMAIL.test(text),
  uri: isUri,
  uuid: (text) => UUID.test(text),
  ipv4: (text) => {
    const octets = text.length <= 15 ? text.split('.') : [];
    return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255);
  },
};
