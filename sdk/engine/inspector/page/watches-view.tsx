import type { WatchView } from '../model.js'
import { formatCounts, formatMs } from './format.js'
import { useLive } from './live.js'
import { Heading } from './parts.js'
import { Table } from './table.js'

/** Every kind that is watched, and how that goes. */
export function WatchesView() {
  const { overview } = useLive()
  return (
    <>
      <Heading>Watches</Heading>
      <Table<WatchView>
        caption="Watches"
        isTitled
        items={overview?.watches ?? []}
        keyOf={({ side, apiVersion, kind, namespace }) => `${side} ${apiVersion} ${kind} ${namespace}`}
        empty="Nothing is watched yet."
        columns={[
          { title: 'Cluster', cell: ({ side }) => side },
          { title: 'Kind', cell: ({ apiVersion, kind }) => `${apiVersion} ${kind}` },
          { title: 'Namespace', cell: ({ namespace }) => namespace ?? 'all' },
          { title: 'State', cell: (watch) => <span class={`badge ${lookOf(watch)}`}>{stateOf(watch)}</span> },
          { title: 'Objects', look: 'number', cell: ({ objects }) => objects },
          { title: 'Age', look: 'wide', cell: ({ ageMs }) => formatMs(ageMs) },
          { title: 'Quiet for', cell: ({ quietMs }) => formatMs(quietMs) },
          { title: 'Lists', look: 'wide', cell: ({ lists }) => lists },
          { title: 'Streams', look: 'wide', cell: ({ streams }) => streams },
          { title: 'Restarts', look: 'wide', cell: ({ restarts }) => formatCounts(restarts) },
          { title: 'Resource version', look: 'wide', cell: ({ resourceVersion }) => resourceVersion ?? '–' },
        ]}
      />
    </>
  )
}

function stateOf({ served, synced }: WatchView): string {
  if (!served) return 'not served'
  return synced ? 'synced' : 'first list'
}

const lookOf = ({ served, synced }: WatchView) => (!served ? 'bad' : synced ? 'good' : 'warn')
