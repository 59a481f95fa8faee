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
const maxDelayMs = 250

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
  const recordedOriginals$ = originals$.pipe(
    tap(({ resource, event }) => log.originalChanged(resource, event)),
    share(),
  )
  const explained$ = copies$.pipe(
    map((copyEvent) => ({ ...copyEvent, seenAtMs: clock.now() })),
    concatMap((copyEvent) => {
      if (log.knowsReason(copyEvent)) return of(copyEvent)
      const reasonKnown$ = recordedOriginals$.pipe(filter(() => log.knowsReason(copyEvent)))
      const late$ = delay(copyEvent.seenAtMs + maxDelayMs - clock.now(), clock)
      return race(reasonKnown$, late$).pipe(
        take(1),
        map(() => copyEvent),
      )
    }),
    map((copyEvent) => log.copyChanged(copyEvent)),
    filter((change) => change !== undefined),
  )
  return merge(recordedOriginals$.pipe(ignoreElements()), explained$)
}

function delay(delayMs: number, clock: Clock): Observable<void> {
  return new Observable((subscriber) => clock.schedule(Math.max(0, delayMs), () => subscriber.next()))
}
