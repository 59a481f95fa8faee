import { useState } from 'preact/hooks'
import type { PairView } from '../pair-model.js'
import { post } from './api.js'
import { useLive } from './live.js'

/** A button that runs an object now. Only `dev` accepts that: elsewhere the inspector is read-only. */
export function RunAgain({ explanation: { syncer, namespace, name } }: { explanation: PairView }) {
  const { overview } = useLive()
  const [answer, setAnswer] = useState('')
  if (!overview?.dev) return null
  const run = () =>
    post('run', { syncer, namespace, name }).then(
      () => setAnswer('asked for'),
      (error: Error) => setAnswer(error.message),
    )
  return (
    <p>
      <button type="button" onClick={() => void run()}>
        Run again
      </button>{' '}
      <span role="status" class="soft">
        {answer}
      </span>
    </p>
  )
}
