import { filter, firstValueFrom, skipWhile } from 'rxjs'
import { PluginError } from '../kube/error.js'
import type { Leadership } from '../leader/leadership.js'

/** Resolves when leadership is won, or rejects with the signal's reason. */
export async function won(leadership: Leadership, signal: AbortSignal): Promise<void> {
  await Promise.race([firstValueFrom(leadership.leader$.pipe(filter(Boolean))), aborted(signal)])
}

/** Rejects with `PluginError` `LEADERSHIP_LOST` when leadership that was won is lost; otherwise never settles. */
export function failWhenLost(leadership: Leadership): Promise<never> {
  const lost$ = leadership.leader$.pipe(
    skipWhile((leads) => !leads),
    filter((leads) => !leads),
  )
  return new Promise((_, reject) => lost$.subscribe(() => reject(leadershipLost())))
}

function leadershipLost(): PluginError {
  const message = 'leadership was lost, so this process must end; started again it waits for its turn'
  return new PluginError('LEADERSHIP_LOST', message)
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
