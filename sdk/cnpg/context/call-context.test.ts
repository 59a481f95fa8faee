import t from 'tap'
import * as z from 'zod'
import { silentLogger } from '../../engine/observe/logger.js'
import { CallContext } from './call-context.js'

const plugin = { name: 'keys.example.org', schema: z.strictObject({ size: z.coerce.number().default(1) }) }
const call = { logger: silentLogger, signal: new AbortController().signal }
const clusterWith = (parameters?: Record<string, string>) => ({
  metadata: { namespace: 'default', name: 'db' },
  spec: { plugins: [{ name: plugin.name, ...(parameters && { parameters }) }] },
})
const contextOf = (parameters?: Record<string, string>, texts?: Record<string, string>) =>
  new CallContext(plugin, { cluster: clusterWith(parameters) as never, call, ...(texts && { texts }) })

void t.test('a hook gets its parameters of the Cluster, or those of the request', (t) => {
  t.strictSame(contextOf().parameters, { size: 1 })
  t.strictSame(contextOf({ size: '3' }).parameters, { size: 3 })
  t.strictSame(contextOf({ size: '3' }, { size: '5' }).parameters, { size: 5 })
  t.strictSame(contextOf().parametersOf(clusterWith({ size: '7' }) as never), { size: 7 })
  t.end()
})

void t.test('parameters with mistakes are an invalid argument that names each', (t) => {
  const ctx = contextOf({ sise: '3' })
  t.throws(() => ctx.parameters, {
    name: 'HookError',
    code: 'INVALID_ARGUMENT',
    message:
      'parameters of plugin keys.example.org in Cluster default/db: sise: is not a parameter of this plugin (did you mean size?)',
  })
  t.equal(ctx.parameterProblems.length, 1)
  t.equal(ctx.parametersOf(clusterWith({ sise: '3' }) as never), undefined)
  t.end()
})

void t.test('a hook cannot change the Cluster', (t) => {
  const { cluster } = contextOf()
  t.throws(() => Object.assign(cluster.metadata, { name: 'other' }), TypeError)
  t.end()
})
