import t from 'tap'
import { checkEachOption, checkOptions, checkSpelling } from './check-options.js'

const types = { name: 'any', namespace: 'any', metrics: 'object', webhooks: { port: 'any' } } as const

const problem = (options: unknown): string | undefined => {
  try {
    checkOptions('createOperator', options, types)
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error)
  }
  return undefined
}

void t.test('an option that does not exist, or is not an object, is refused by its name', async (t) => {
  t.equal(
    problem({ name: 'a', nmespace: 'b' }),
    'createOperator has no option nmespace; did you mean namespace?',
  )
  t.equal(
    problem({ conversions: {} }),
    'createOperator has no option conversions; its options are name, namespace, metrics, webhooks',
  )
  const wrong = 'the option metrics of createOperator must be an object, got'
  t.equal(problem({ metrics: true }), `${wrong} a boolean; leave it out for the default`)
  t.equal(problem({ metrics: null }), `${wrong} null; leave it out for the default`)
  for (const options of [undefined, {}, { name: 'a', metrics: {} }, { metrics: undefined }])
    t.equal(problem(options), undefined)
})

void t.test('the members of an option are checked, and an instance of a class may have more', async (t) => {
  t.equal(
    problem({ webhooks: { prot: 1 } }),
    'webhooks of createOperator has no option prot; did you mean port?',
  )
  t.equal(
    problem({ webhooks: 1 }),
    'the option webhooks of createOperator must be an object, got a number; leave it out for the default',
  )
  t.equal(problem({ webhooks: { port: 1 } }), undefined)
  t.match(
    problem(Object.assign(Object.create(null), { nmae: 1 })),
    /has no option nmae; did you mean name\?$/,
  )
  class Options {
    readonly name = 'a'
    readonly cache = new Map()
  }
  t.equal(problem(new Options()), undefined)
})

void t.test('each member of a list or of a map is checked, and named by its place', async (t) => {
  const check = (members: Record<string, unknown>) => () =>
    checkEachOption('controller web', members, { resource: 'any' })
  const permissions = [{ resource: 'pods' }, { resuorce: 'pods' }]
  t.throws(
    check({ permissions }),
    new TypeError('permissions[1] of controller web has no option resuorce; did you mean resource?'),
  )
  t.throws(
    check({ effects: { bucket: { resurce: 1 } } }),
    new TypeError('effects.bucket of controller web has no option resurce; did you mean resource?'),
  )
  t.doesNotThrow(check({ permissions: undefined, effects: {} }))
})

void t.test('for a class that programs extend, only a misspelt option is refused', async (t) => {
  const check = (options: object) => () => checkSpelling('the syncer web', options, types)
  t.throws(
    check({ nmespace: 'b' }),
    new TypeError('the syncer web has no option nmespace; did you mean namespace?'),
  )
  t.doesNotThrow(check({ namespace: 'b', teams: ['a'], name: 'c' }))
  t.doesNotThrow(check({ metricsX: 'a', namespaces: ['b'] }), 'an option that begins with another one')
})
