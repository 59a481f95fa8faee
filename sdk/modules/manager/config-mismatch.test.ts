import t from 'tap'
import * as z from 'zod'
import { configMismatch } from './config-mismatch.js'

const schema = z.strictObject({
  replicas: z.int().min(1).max(5).default(1),
  name: z.string().min(3).optional(),
  hosts: z.array(z.string()).max(1).default([]),
  size: z.enum(['small', 'large']).optional(),
  debug: z.boolean().optional(),
  nested: z.object({ port: z.number().lt(65_536) }).optional(),
})

/** The mistakes that a message lists. */
function mistakes(error: unknown, config: unknown): string | undefined {
  const form = /^the configuration does not fit program web: (.+); correct it in the Module$/
  return form.exec(configMismatch('web', error, config))?.[1]
}

const problems = (config: unknown) => mistakes(schema.safeParse(config).error, config)

void t.test('a value beyond a limit is named with its field, the value and the limit', (t) => {
  t.equal(problems({ replicas: 7 }), 'spec.config.replicas: must be at most 5, got 7')
  t.equal(problems({ replicas: 0 }), 'spec.config.replicas: must be at least 1, got 0')
  t.equal(problems({ replicas: 1.5 }), 'spec.config.replicas: must be a whole number, got 1.5')
  t.equal(
    problems({ nested: { port: 70_000 } }),
    'spec.config.nested.port: must be less than 65536, got 70000',
  )
  t.equal(problems({ hosts: ['a', 'b'] }), 'spec.config.hosts: must have at most 1 item, but has 2')
  t.equal(problems({ size: 'huge' }), 'spec.config.size: must be one of "small", "large", got "huge"')
  t.end()
})

void t.test('a text that may be a secret is not quoted', (t) => {
  t.equal(problems({ name: 'ab' }), 'spec.config.name: must have at least 3 characters, but has 2')
  t.equal(problems({ debug: 'ab' }), 'spec.config.debug: must be true or false, got a string')
  t.end()
})

void t.test('an error without issues is its message', (t) => {
  t.equal(mistakes(new Error('app: required'), {}), 'app: required')
  t.equal(mistakes('no', {}), 'no')
  t.equal(
    mistakes({ issues: [{ path: ['a', 'b'], message: 'is wrong' }] }, { a: 1 }),
    'spec.config.a.b: is wrong',
  )
  t.end()
})
