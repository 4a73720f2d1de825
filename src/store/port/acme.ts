import type { AcmeChallenge, AcmeName } from '../../model/acme.ts'

/** Orders of certificates by ACME. Times are ms since the epoch, by the caller's clock. */
export interface AcmeStore {
  /**
   * The key of the account at a directory, encrypted in the database.
   * @param made is kept if there is none yet
   */
  accountKey(directory: string, made: () => Promise<string>): Promise<string>
  /**
   * Notes that a client asked for a name of a zone. A known name, or one of a zone that is gone, changes nothing.
   * @returns false when the zone has `acmeNamesPerZoneMax` names
   */
  want(zoneId: string, name: string, nowMs: number): Promise<boolean>
  /** Of one zone or all, by name. */
  names(zoneId?: string): Promise<readonly AcmeName[]>
  /**
   * Takes the name whose next attempt is due for the longest time, unless too many certificates were ordered in the last
   * hour. It counts as an order. A name that another process holds is left out.
   * @param owner of the claim
   */
  claim(owner: string, nowMs: number, untilMs: number): Promise<AcmeName | undefined>
  /**
   * Ends a claim with its result. A claim that another process has taken over changes nothing.
   * @param result `problem` counts one failure
   */
  settle(
    owner: string,
    name: string,
    result: { readonly problem: string | undefined; readonly nextMs: number },
  ): Promise<void>
  /** Gives the claims of a process back. */
  release(owner: string): Promise<void>
  /** Announced as a change of kind `acme`. It takes the place of an earlier challenge of its name and kind. */
  publish(challenge: AcmeChallenge, untilMs: number): Promise<void>
  /** Ends the challenges of a name, and those whose time is over. */
  withdraw(name: string, nowMs: number): Promise<void>
  /** Live challenges. */
  challenges(nowMs: number): Promise<readonly AcmeChallenge[]>
}
