import { useState } from 'preact/hooks'
import { type FeedRow, useLive } from './live.js'
import { Heading, ObjectLink, Result, Toggle } from './parts.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** Runs as they end; those of one object that end alike share a row. */
export function ActivityView() {
  const { feed } = useLive()
  const [held, setHeld] = useState<readonly FeedRow[]>()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const rows = (held ?? feed).filter(({ result }) => !onlyFailed || isFailed(result))
  return (
    <>
      <Heading>Activity</Heading>
      <div class="counts">
        <Toggle
          label={held ? 'Go on' : 'Hold'}
          isOn={held !== undefined}
          onPress={() => setHeld(held ? undefined : feed)}
        />
        <Toggle label="Failures only" isOn={onlyFailed} onPress={() => setOnlyFailed(!onlyFailed)} />
      </div>
      <Table<FeedRow>
        caption="The latest runs, the latest first"
        items={rows}
        keyOf={({ id }) => String(id)}
        empty="No run has ended yet."
        columns={[
          { title: 'At', cell: ({ atMs }) => <Time atMs={atMs} /> },
          { title: 'Object', cell: (one) => <ObjectLink of={one} /> },
          { title: 'Syncer or controller', layout: 'wide', cell: ({ syncer }) => syncer },
          { title: 'Result', cell: ({ result }) => <Result result={result} /> },
          { title: 'Times', layout: 'number', cell: ({ times }) => times },
        ]}
      />
    </>
  )
}

const isFailed = (result: FeedRow['result']) => result !== 'success' && result !== 'requeue_after'
