import t from 'tap'
import { plainOptions } from './plain-options.js'

void t.test('methods of a class, also inherited ones, are kept by a copy and find their instance', (t) => {
  class Named {
    readonly name = 'limits'
    readonly other = 'not an option'
    readonly #limit = 3
    limit() {
      return this.#limit
    }
  }
  class Limits extends Named {
    doubled() {
      return this.limit() * 2
    }
  }
  const copy = {
    ...plainOptions<Partial<Limits>>(new Limits(), { name: 'any', limit: 'any', doubled: 'any' }),
  }
  t.strictSame(Object.keys(copy), ['name', 'limit', 'doubled'])
  t.strictSame([copy.limit?.(), copy.doubled?.()], [3, 6])
  t.end()
})

void t.test('other options stay as they are', (t) => {
  const options = { name: 'a', limit() {} }
  t.equal(plainOptions(options, { name: 'any' }), options)
  t.end()
})
