import { useState } from 'preact/hooks'
import type { CallView, PatchView } from '../model.js'
import { formatKey, formatMs } from './format.js'
import { useLive } from './live.js'
import { Heading, Toggle } from './parts.js'
import { SearchField } from './search-field.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The latest calls of a CloudNativePG plugin, and what they changed. */
export function CallsView() {
  const { overview } = useLive()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [text, setText] = useState('')
  const calls = (overview?.calls ?? []).filter(
    (call) => (!onlyFailed || hasFailed(call)) && wordsOf(call).includes(text.toLowerCase()),
  )
  return (
    <>
      <Heading>Calls</Heading>
      <search>
        <form onSubmit={(event) => event.preventDefault()}>
          <SearchField label="Method, Cluster or object" value={text} onChange={setText} />
        </form>
      </search>
      <p class="counts">
        <Toggle label="Failures only" isOn={onlyFailed} onPress={() => setOnlyFailed(!onlyFailed)} />
      </p>
      <Table<CallView>
        caption="The latest calls, the latest first"
        items={calls}
        keyOf={({ atMs, method, object }) => `${atMs} ${method} ${object}`}
        empty="No such call is remembered; the latest 50 are."
        columns={[
          { title: 'At', layout: 'wide', cell: ({ atMs }) => <Time atMs={atMs} /> },
          { title: 'Method', cell: ({ method }) => method },
          { title: 'Cluster', layout: 'wide', cell: ({ cluster }) => (cluster ? formatKey(cluster) : '–') },
          { title: 'Object', cell: ({ object }) => object ?? '–' },
          { title: 'Status', cell: (call) => <Outcome call={call} /> },
          { title: 'Took', layout: 'number', cell: ({ durationMs }) => formatMs(durationMs) },
          { title: 'Patch', cell: ({ patch }) => <Patch patch={patch} /> },
        ]}
      />
    </>
  )
}

const hasFailed = ({ code, refused }: CallView) => code !== 'OK' || refused.length > 0

function Outcome({ call }: { call: CallView }) {
  const { code, refused } = call
  const severity = hasFailed(call) ? 'bad' : 'good'
  return (
    <>
      <span class={`badge ${severity}`}>{refused.length > 0 ? 'refused' : code}</span>{' '}
      {refused.map((field) => (
        <code key={field}>{field} </code>
      ))}
    </>
  )
}

const wordsOf = ({ method, cluster, object }: CallView) =>
  `${method} ${cluster ? formatKey(cluster) : ''} ${object ?? ''}`.toLowerCase()

function Patch({ patch }: { patch: readonly PatchView[] | null }) {
  if (patch === null) return <>–</>
  if (patch.length === 0) return <>no change</>
  return (
    <details class="patch">
      <summary>{patch.length === 1 ? '1 change' : `${patch.length} changes`}</summary>
      <ul>
        {patch.map(({ op, path, value }) => (
          <li key={`${op} ${path}`}>
            {op} <code>{path}</code> {value !== null && <code>{value}</code>}
          </li>
        ))}
      </ul>
    </details>
  )
}
