import t from 'tap'
import { checkOptions } from './check-options.js'

const types = { name: 'any', namespace: 'any', metrics: 'object' } as const

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
    problem({ webhooks: {} }),
    'createOperator has no option webhooks; its options are name, namespace, metrics',
  )
  const wrong = 'the option metrics of createOperator must be an object, got'
  t.equal(problem({ metrics: true }), `${wrong} a boolean; leave it out for the default`)
  t.equal(problem({ metrics: null }), `${wrong} null; leave it out for the default`)
  for (const options of [undefined, {}, { name: 'a', metrics: {} }, { metrics: undefined }])
    t.equal(problem(options), undefined)
})
