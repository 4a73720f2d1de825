import { doctorLimits } from './limits.ts'

/** One line of the report. */
export interface Finding {
  /** Its subject, such as `disk`. */
  readonly check: string
  readonly state: 'ok' | 'warning' | 'fault'
  readonly message: string
  /** The action to take; absent when nothing is wrong. */
  readonly action?: string
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message }
}

export function warning(check: string, message: string, action: string): Finding {
  return { check, state: 'warning', message, action }
}

export function fault(check: string, message: string, action: string): Finding {
  return { check, state: 'fault', message, action }
}

/** A check that fails or does not end in time is a fault of its subject. */
export async function runCheck(
  check: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Finding[]>(resolve => {
    const finding = fault(
      check,
      `no answer within ${doctorLimits.checkMs / 1000} seconds`,
      'see whether it hangs',
    )
    timer = setTimeout(() => resolve([finding]), doctorLimits.checkMs)
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    return [fault(check, (error as Error).message, 'remove the cause that the message names')]
  } finally {
    clearTimeout(timer)
  }
}
