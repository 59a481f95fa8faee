import type { ErrorView, MethodView, Overview } from '../model.js'
import { formatCounts, formatKey, formatMs } from './format.js'
import { Frame } from './frame.js'
import { Heading } from './parts.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The methods that fail first, then every method that a CloudNativePG plugin serves. */
export function CallsOverview({ overview: { methods } }: { overview: Overview }) {
  return (
    <>
      <Heading>Overview</Heading>
      <Failing methods={methods} />
      <section class="card">
        <h2>Methods</h2>
        <Table<MethodView>
          caption="Methods"
          isTitled
          items={methods}
          keyOf={({ name }) => name}
          empty="The plugin serves no method yet."
          columns={[
            { title: 'Method', cell: ({ name }) => name },
            { title: 'Calls', cell: ({ calls }) => formatCounts(calls) },
            { title: 'Took p50', look: 'number', cell: ({ took }) => formatMs(took.p50Ms) },
            { title: 'Took p99', look: 'number', cell: ({ took }) => formatMs(took.p99Ms) },
          ]}
        />
      </section>
    </>
  )
}

interface MethodError extends ErrorView {
  readonly method: string
}

function Failing({ methods }: { methods: readonly MethodView[] }) {
  const errors: MethodError[] = methods
    .flatMap(({ name: method, errors }) => errors.map((error) => ({ ...error, method })))
    .sort((one, other) => other.atMs - one.atMs)
  if (errors.length === 0)
    return (
      <section class="card calm">
        <h2>No call has failed</h2>
      </section>
    )
  return (
    <section class="card alarm">
      <h2>{errors.length === 1 ? 'Calls fail with 1 error' : `Calls fail with ${errors.length} errors`}</h2>
      <Table<MethodError>
        caption="Latest errors"
        isTitled
        items={errors}
        keyOf={({ method, message, frames }) => `${method} ${message} ${frames?.[0] ?? ''}`}
        empty=""
        columns={[
          { title: 'At', look: 'wide', cell: ({ atMs }) => <Time atMs={atMs} /> },
          { title: 'Method', cell: ({ method }) => method },
          { title: 'Cluster', cell: (error) => formatKey(error) || 'about no Cluster' },
          { title: 'Error', cell: (error) => <Message error={error} /> },
          { title: 'Times', look: 'number', cell: ({ times }) => times },
        ]}
      />
    </section>
  )
}

function Message({ error: { message, frames } }: { error: ErrorView }) {
  return (
    <>
      {message}
      {frames?.[0] && (
        <div class="soft">
          at <Frame frame={frames[0]} />
        </div>
      )}
    </>
  )
}
