import type { ErrorView, MethodView, Overview } from '../model.js'
import { formatCounts, formatKey, formatMs } from './format.js'
import { Frame } from './frame.js'
import { Heading } from './parts.js'
import { hashOf } from './route.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The methods that fail first, then every method that a CloudNativePG plugin serves. */
export function CallsOverview({ overview: { methods } }: { overview: Overview }) {
  const isCalled = ({ calls, errors }: MethodView) => Object.keys(calls).length > 0 || errors.length > 0
  return (
    <>
      <Heading>Overview</Heading>
      <Failing methods={methods} />
      <section class="card">
        <h2>Methods</h2>
        <Table<MethodView>
          caption="Methods"
          isTitled
          items={methods.filter(isCalled)}
          keyOf={({ name }) => name}
          empty="No method has been called yet."
          columns={[
            { title: 'Method', cell: ({ name }) => name },
            { title: 'Calls', cell: (method) => formatCounts(callsOf(method)) },
            { title: 'Took p50', layout: 'number', cell: ({ took }) => formatMs(took.p50Ms) },
            { title: 'Took p99', layout: 'number', cell: ({ took }) => formatMs(took.p99Ms) },
          ]}
        />
        <Uncalled names={methods.filter((method) => !isCalled(method)).map(({ name }) => name)} />
      </section>
    </>
  )
}

/** The calls by status, with those apart that refused an object. */
function callsOf({ calls, refused }: MethodView): Record<string, number> {
  if (refused === 0) return calls
  const { OK = 0, ...others } = calls
  return { ...(OK > refused && { OK: OK - refused }), refused, ...others }
}

/** The methods without a call, a line for each service. */
function Uncalled({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const services = [...new Set(names.map((name) => name.split('/')[0] ?? ''))]
  const methodsOf = (service: string) =>
    names.filter((name) => name.startsWith(`${service}/`)).map((name) => name.slice(service.length + 1))
  return (
    <details>
      <summary>{names.length === 1 ? '1 method' : `${names.length} methods`} without a call</summary>
      <ul>
        {services.map((service) => (
          <li key={service}>
            {service}: <span class="soft">{methodsOf(service).join(', ')}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

interface MethodError extends ErrorView {
  readonly method: string
}

function Failing({ methods }: { methods: readonly MethodView[] }) {
  const errors: MethodError[] = methods
    .flatMap(({ name: method, errors }) => errors.map((error) => ({ ...error, method })))
    .sort((error, other) => other.atMs - error.atMs)
  const refused = methods.reduce((sum, method) => sum + method.refused, 0)
  if (errors.length === 0)
    return (
      <section class="card calm">
        <h2>No call has failed</h2>
        {refused > 0 && (
          <p>
            <a href={hashOf('calls')}>{refused === 1 ? '1 call' : `${refused} calls`}</a> refused an object.
          </p>
        )}
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
          { title: 'At', layout: 'wide', cell: ({ atMs }) => <Time atMs={atMs} /> },
          { title: 'Method', cell: ({ method }) => method },
          { title: 'Cluster', cell: (error) => formatKey(error) || 'about no Cluster' },
          { title: 'Error', cell: (error) => <Message error={error} /> },
          { title: 'Times', layout: 'number', cell: ({ times }) => times },
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
