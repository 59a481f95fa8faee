import { filter, firstValueFrom, skipWhile } from 'rxjs'
import { PluginError } from '../kube/error.js'
import type { Leadership } from '../leader/leadership.js'

/** Resolves when leadership is won, or rejects with the signal's reason. */
export async function won(leadership: Leadership, signal: AbortSignal): Promise<void> {
  await Promise.race([firstValueFrom(leadership.leader$.pipe(filter(Boolean))), aborted(signal)])
}

/** Rejects with `PluginError` `LEADERSHIP_LOST` when leadership that was won is lost; otherwise never settles. */
export async function failWhenLost(leadership: Leadership): Promise<never> {
  const after$ = leadership.leader$.pipe(skipWhile((leads) => !leads))
  await firstValueFrom(after$.pipe(filter((leads) => !leads)), { defaultValue: false })
  throw new PluginError(
    'LEADERSHIP_LOST',
    'leadership was lost, so this process must end; started again it waits for its turn',
  )
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
