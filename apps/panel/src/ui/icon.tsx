/** Icons on a grid of 16, drawn with strokes of one width. */
const SHAPES = {
  overview: 'M2.5 13.5v-5h3v5zM6.5 13.5v-11h3v11zM10.5 13.5v-8h3v8z',
  audit: 'M3 3.5h10M3 8h10M3 12.5h6',
  approvals: 'M8 1.5a6.5 6.5 0 1 0 6.5 6.5M5.5 8l2 2 6-6.5',
  rules: 'M2.5 4h6M11 4h2.5M2.5 8h2M7 8h6.5M2.5 12h7M12 12h1.5M9.75 2.5v3M5.75 6.5v3M10.75 10.5v3',
  firewall: 'M8 1.5l5.5 2v4c0 3.5-2.3 5.8-5.5 7-3.2-1.2-5.5-3.5-5.5-7v-4z',
  output: 'M2.5 3h11v10h-11zM5 6.5l2 1.5-2 1.5M8.5 10H11',
  sandbox: 'M6 1.5h4M6.5 1.5v4.5l-4 7a1 1 0 0 0 .9 1.5h9.2a1 1 0 0 0 .9-1.5l-4-7V1.5M4.5 10.5h7',
  settings: 'M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.2v3.6M5.5 9.2v3.6',
  events: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.6 1.6 0 0 0 3 0',
  review: 'M3 14V2.5M3 3h9.5l-2 3 2 3H3',
  holds: 'M4 7h8v7H4zM5.5 7V4.5a2.5 2.5 0 0 1 5 0V7',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3.5 3.5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  next: 'M6 3l5 5-5 5',
  previous: 'M10 3L5 8l5 5',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  reload: 'M13.5 8A5.5 5.5 0 1 1 11.5 3.8M13.5 1.5v3h-3',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
