import t from 'tap'
import { EffectSteps, type EffectStepsOptions } from './effect-steps.js'

void t.test('the token of an effect may be a method of a class', (t) => {
  class Bucket {
    readonly #prefix = 'bucket-'
    token(object: { metadata: { name?: string } }) {
      return `${this.#prefix}${object.metadata.name}`
    }
  }
  const options = {
    effects: { bucket: new Bucket() },
    context: { object: { metadata: { name: 'a' } } },
    journal: { get: () => undefined },
  }
  const steps = new EffectSteps(options as unknown as EffectStepsOptions<never>)
  t.equal(steps.tokenOf({ name: 'bucket', key: '' }), 'bucket-a')
  t.end()
})
