import { withOwnSignal } from '../../sdk/engine/time/own-signal.js'
import { type Failure, isFailureMessage } from '../program/failure.js'
import { type WatchSourcesOptions, watchSources } from './watch-sources.js'

/** Options of {@link untilLoadable}. */
export interface UntilLoadableOptions
  extends Pick<WatchSourcesOptions, 'roots' | 'isWatchedFile' | 'onUnwatched'> {
  /** Called with the failure of sources that cannot be loaded, before the wait for the next save. */
  onUnloadable: (failure: Failure) => void
  /** Ends the wait: the last error is thrown. */
  signal: AbortSignal
}

/**
 * Repeats `attempt` after each save as long as it fails because the sources cannot be loaded. Throws any other error.
 */
export function untilLoadable<T>(
  attempt: () => Promise<T>,
  { onUnloadable, signal, ...watched }: UntilLoadableOptions,
): Promise<T> {
  return withOwnSignal(signal, async (controller) => {
    const stopped = whenAborted(controller.signal)
    let onSave = () => {}
    await watchSources({ ...watched, signal: controller.signal, onChange: () => onSave() })
    try {
      for (;;) {
        // Also a save during the attempt counts.
        const saved = new Promise<void>((resolve) => {
          onSave = resolve
        })
        const outcome = await attempt().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        if ('value' in outcome) return outcome.value
        const failure = unloadableFailure(outcome.error)
        if (!failure || controller.signal.aborted) throw outcome.error
        onUnloadable(failure)
        await Promise.race([saved, stopped])
      }
    } finally {
      controller.abort()
    }
  })
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The failure of sources that cannot be loaded, which is the cause of an error; undefined for other errors. */
function unloadableFailure(error: unknown): Failure | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return isFailureMessage(cause) && cause.isUnloadable ? cause : undefined
}
