export type Role = 'viewer' | 'operator';

/** Who is calling. The API takes the actor of every decision and change from `id`. */
export interface User {
  readonly id: string;
  readonly role: Role;
}

export const USERS: Readonly<Record<Role, User>> = {
  viewer: { id: 'viewer-1', role: 'viewer' },
  operator: { id: 'ops-1', role: 'operator' },
};
