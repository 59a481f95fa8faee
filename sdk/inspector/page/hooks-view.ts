import type { HookView } from '../model.js'
import { heading } from './element.js'
import { formatCounts, formatMs } from './format.js'
import { LiveTable } from './live-table.js'
import type { View } from './view.js'

/** Every hook and hook type, how often it ran and how long that took. */
export function hooksView(): View {
  const table = new LiveTable<HookView>({
    caption: 'Hooks',
    keyOf: ({ name, type }) => `${name} ${type}`,
    empty: 'The plugin has no hooks.',
    columns: [
      { title: 'Hook', cell: ({ name }) => name },
      { title: 'Kind', cell: ({ apiVersion, kind }) => `${apiVersion} ${kind}` },
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Calls', cell: ({ calls }) => formatCounts(calls) },
      { title: 'Mean time', cell: ({ meanMs }) => formatMs(meanMs) },
    ],
  })
  return {
    title: 'Hooks',
    elements: [heading('Hooks'), table.element],
    show: ({ hooks }) => table.show(hooks),
  }
}
