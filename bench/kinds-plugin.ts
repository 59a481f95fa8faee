// A plugin that copies the number of kinds in the variable KINDS.
import { mirrorDown, plugin } from '../sdk/index.js'
import { customKinds } from './custom-kinds.js'

const ctx = await plugin.init()
for (const kind of customKinds(Number(process.env.KINDS))) plugin.register(mirrorDown(ctx, kind))
await plugin.start()
