import t from 'tap'
import { backup, backups, key } from '../backups.fixture.js'
import { recordedOperator } from '../recorded-operator.fixture.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

void t.test(
  'the status can be written while a run goes on, which does not claim to have handled the object',
  async (t) => {
    let goOn = () => {}
    const step = new Promise<void>((resolve) => (goOn = resolve))
    const test = await recordedOperator(t, {
      reconcile: async (ctx) => {
        ctx.status.nodes = ['first']
        ctx.condition('Available', false, 'Copying', 'step 1 of 2')
        await ctx.writeStatus()
        await ctx.writeStatus()
        await step
        ctx.status.nodes = ['first', 'second']
        ctx.condition('Available', true, 'Done')
      },
    })
    await test.client.create(backups, backup(1))
    const statusOf = async () => (await test.client.get(backups, key)).status
    while ((await statusOf())?.nodes === undefined) await nextTurn()
    const during = await statusOf()
    t.match(during, { nodes: ['first'], observedGeneration: undefined })
    t.match(during?.conditions, [
      { type: 'Available', status: 'False', reason: 'Copying', message: 'step 1 of 2' },
      { type: 'Reconciling', status: 'True', reason: 'Progressing' },
    ])
    goOn()
    await test.settled()
    const after = await statusOf()
    t.match(after, { nodes: ['first', 'second'], observedGeneration: 1 })
    t.same(
      after?.conditions?.map(({ type, status }) => `${type} ${status}`),
      ['Available True'],
    )
    t.equal(test.writes.filter((write) => write.endsWith('/status')).length, 2)
  },
)
