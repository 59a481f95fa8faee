import type { HookView, InterceptorView } from '../model.js'
import { formatCounts, formatMs } from './format.js'
import { useLive } from './live.js'
import { Heading } from './parts.js'
import { Table } from './table.js'

/** Every hook and interceptor, how often it was called and how long that took. */
export function HooksView() {
  const { overview } = useLive()
  return (
    <>
      <Heading>Hooks and interceptors</Heading>
      <h2>Hooks</h2>
      <Table<HookView>
        caption="Hooks"
        items={overview?.hooks ?? []}
        keyOf={({ name, type }) => `${name} ${type}`}
        empty="The program has no hooks."
        columns={[
          { title: 'Hook', cell: ({ name }) => name },
          { title: 'Kind', cell: ({ apiVersion, kind }) => `${apiVersion} ${kind}` },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Calls', cell: ({ calls }) => formatCounts(calls) },
          { title: 'Mean time', cell: ({ meanMs }) => formatMs(meanMs) },
        ]}
      />
      <h2>Interceptors</h2>
      <Table<InterceptorView>
        caption="Interceptors"
        items={overview?.interceptors ?? []}
        keyOf={({ name }) => name}
        empty="The program has no interceptors."
        columns={[
          { title: 'Interceptor', cell: ({ name }) => name },
          { title: 'Requests', cell: ({ rules }) => rules.join('; ') },
          { title: 'Answers', cell: ({ answers }) => formatCounts(answers) },
          { title: 'Mean time', cell: ({ meanMs }) => formatMs(meanMs) },
        ]}
      />
    </>
  )
}
