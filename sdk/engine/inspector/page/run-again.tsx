import { useState } from 'preact/hooks'
import type { PairView } from '../pair-model.js'
import { post } from './api.js'
import { useLive } from './live.js'

/** A button that runs an object now. Only `dev` accepts that: elsewhere the inspector is read-only. */
export function RunAgain({ told: { syncer, namespace, name } }: { told: PairView }) {
  const { overview } = useLive()
  const [said, say] = useState('')
  if (!overview?.dev) return null
  const run = () =>
    post('run', { syncer, namespace, name }).then(
      () => say('asked for'),
      (error: Error) => say(error.message),
    )
  return (
    <p>
      <button type="button" onClick={() => void run()}>
        Run again
      </button>{' '}
      <span role="status" class="soft">
        {said}
      </span>
    </p>
  )
}
