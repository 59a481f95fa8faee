import type { WatchView } from '../model.js'
import { heading } from './element.js'
import { formatCounts, formatMs } from './format.js'
import { LiveTable } from './live-table.js'
import type { View } from './view.js'

/** Every kind that is watched, and how that goes. */
export function watchesView(): View {
  const table = new LiveTable<WatchView>({
    caption: 'Watches',
    keyOf: ({ side, apiVersion, kind, namespace }) => `${side} ${apiVersion} ${kind} ${namespace}`,
    empty: 'Nothing is watched yet.',
    columns: [
      { title: 'Cluster', cell: ({ side }) => side },
      { title: 'Kind', cell: ({ apiVersion, kind }) => `${apiVersion} ${kind}` },
      { title: 'Namespace', cell: ({ namespace }) => namespace ?? 'all' },
      { title: 'State', cell: stateOf },
      { title: 'Objects', cell: ({ objects }) => String(objects) },
      { title: 'Age', cell: ({ ageMs }) => formatMs(ageMs) },
      { title: 'Quiet for', cell: ({ quietMs }) => formatMs(quietMs) },
      { title: 'Lists', cell: ({ lists }) => String(lists) },
      { title: 'Streams', cell: ({ streams }) => String(streams) },
      { title: 'Begun anew', cell: ({ restarts }) => formatCounts(restarts) },
      { title: 'Resource version', cell: ({ resourceVersion }) => resourceVersion ?? '–' },
    ],
  })
  return {
    title: 'Watches',
    elements: [heading('Watches'), table.element],
    show: ({ watches }) => table.show(watches),
  }
}

function stateOf({ served, synced }: WatchView): string {
  if (!served) return 'not served'
  return synced ? 'synced' : 'first list'
}
