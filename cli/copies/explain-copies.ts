import { concatMap, filter, ignoreElements, map, merge, Observable, of, race, share, take, tap } from 'rxjs'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { WatchEvent } from '../../sdk/engine/watch/event.js'
import type { CopyChange, CopyLog } from './copy-log.js'

/** A watch event and the kind of its object. */
export interface KindEvent {
  resource: Resource
  event: WatchEvent
}

/** The maximum delay, in milliseconds, with which the change of an original is seen after the change of its copy. */
const latestMs = 250

/**
 * Relates the changes of copies to those of their originals. A change of a copy without a known reason waits for the
 * change of its original, at most {@link latestMs}. Later changes wait too, so that the order stays the same.
 */
export function explainCopies(
  originals$: Observable<KindEvent>,
  copies$: Observable<KindEvent>,
  log: CopyLog,
  clock: Clock,
): Observable<CopyChange> {
  const noted$ = originals$.pipe(
    tap(({ resource, event }) => log.originalChanged(resource, event)),
    share(),
  )
  const explained$ = copies$.pipe(
    map((seen) => ({ ...seen, seenAtMs: clock.now() })),
    concatMap((seen) => {
      if (log.knowsReason(seen)) return of(seen)
      const known$ = noted$.pipe(filter(() => log.knowsReason(seen)))
      const late$ = delay(seen.seenAtMs + latestMs - clock.now(), clock)
      return race(known$, late$).pipe(
        take(1),
        map(() => seen),
      )
    }),
    map((seen) => log.copyChanged(seen)),
    filter((change) => change !== undefined),
  )
  return merge(noted$.pipe(ignoreElements()), explained$)
}

function delay(delayMs: number, clock: Clock): Observable<void> {
  return new Observable((subscriber) => clock.schedule(Math.max(0, delayMs), () => subscriber.next()))
}
