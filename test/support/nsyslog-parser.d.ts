declare module 'nsyslog-parser' {
  export default function parse(line: string): Readonly<Record<string, unknown>>;
}
