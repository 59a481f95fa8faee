import { plugin } from 'vcluster-plugin-sdk'
import { register } from './register.js'

register(plugin, await plugin.init())
await plugin.start()
