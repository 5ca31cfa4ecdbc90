import type { Role } from './episode';

export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const satisfies readonly Role[];

const byName = new Map<string, Role>(roles.map((role) => [role, role]));

/** The role a source names. One that is not known speaks to the policy, so it is a user, and keeps its name. */
export function roleNamed(name: string): { role: Role; roleLabel?: string } {
  const role = byName.get(name);
  return role === undefined ? { role: 'user', roleLabel: name } : { role };
}
