// A plugin that copies as many kinds as KINDS says.
import { mirrorDown, plugin } from '../sdk/index.js'
import { customKinds } from './custom-kinds.js'

const ctx = await plugin.init()
for (const kind of customKinds(Number(process.env.KINDS))) plugin.register(mirrorDown(ctx, kind))
await plugin.start()
