import type { FieldChange, TimelineEntry } from '../explanation-view.js'
import { type FoldedEntries, fold } from './fold.js'
import { formatMs } from './format.js'
import { LinkedText } from './linked-text.js'
import { Result } from './parts.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The history of an object, with entries that are alike in one row. */
export function Timeline({ timeline }: { timeline: readonly TimelineEntry[] }) {
  return (
    <Table<FoldedEntries>
      caption="What happened lately, the latest first"
      items={fold(timeline).reverse()}
      keyOf={({ entry, sinceMs }) => `${sinceMs} ${JSON.stringify(entry)}`}
      empty="Nothing that the inspector remembers."
      columns={[
        { title: 'At', cell: ({ entry }) => <Time atMs={entry.atMs} /> },
        {
          title: 'Where',
          cell: ({ entry }) => whereOf(entry),
        },
        { title: 'What', cell: ({ entry, times }) => <What entry={entry} times={times} /> },
        { title: 'How', cell: ({ entry }) => <Detail entry={entry} /> },
      ]}
    />
  )
}

function whereOf(entry: TimelineEntry): string {
  if (entry.what === 'run') return 'run'
  return entry.what === 'process' ? 'program' : (entry.object ?? entry.side)
}

function What({ entry, times }: { entry: TimelineEntry; times: number }) {
  const count = times > 1 ? ` × ${times}` : ''
  if (entry.what === 'run')
    return (
      <span class="line">
        <Result result={entry.result} />
        {count}
      </span>
    )
  return <>{`${entry.what === 'write' ? `${entry.verb} by the program` : entry.verb}${count}`}</>
}

function Detail({ entry }: { entry: TimelineEntry }) {
  const changes = entry.what === 'write' ? entry.changes : undefined
  return (
    <>
      <LinkedText text={detailText(entry)} />
      {changes && <Changes changes={changes} />}
    </>
  )
}

/** The fields that a write changed, each with its value before and after. */
function Changes({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <> no field changed</>
  return (
    <ul class="changes">
      {changes.map(({ path, from, to }) => (
        <li key={path}>
          <code>{path}</code> {from ?? '(missing)'} → {to ?? '(missing)'}
        </li>
      ))}
    </ul>
  )
}

function detailText(entry: TimelineEntry): string {
  if (entry.what === 'process') return entry.text
  if (entry.what !== 'run') return entry.resourceVersion && `resourceVersion ${entry.resourceVersion}`
  const lag = entry.lagMs === undefined ? '' : `, ${formatMs(entry.lagMs)} after the change`
  const next = entry.nextInMs === undefined ? '' : `, again in ${formatMs(entry.nextInMs)}`
  return `took ${formatMs(entry.durationMs)}${lag}${next}${entry.error === undefined ? '' : `: ${entry.error}`}`
}
