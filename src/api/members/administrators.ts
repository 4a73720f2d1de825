import type { Member } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { administrator } from '../access/permissions/roles.ts'

export function isAdministrator({ roles }: Pick<Member, 'roles'>): boolean {
  return roles.includes(administrator.id)
}

/** Whether the account would be without an administrator if this member were none: only the command line helps then. */
export async function isLastAdministrator({ members }: Store, member: Member): Promise<boolean> {
  if (!isAdministrator(member)) return false
  const all = await members.list(member.accountId)
  return !all.some(other => other.id !== member.id && isAdministrator(other))
}
