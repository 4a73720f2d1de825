import type { Invitation } from '../../api/types.ts'

/** An invitation to hand over, and to whom. */
export interface Invited {
  readonly email: string
  readonly invitation: Invitation
}
