import type { Story } from '../command.js'
import { applying } from './applying.js'
import { changing } from './changing.js'
import { connecting } from './connecting.js'
import { customizing } from './customizing.js'
import { making } from './making.js'
import { reading } from './reading.js'
import { refusing } from './refusing.js'
import { watching } from './watching.js'

/** All stories: typical commands of kubectl's users. */
export const stories: readonly Story[] = [
  reading,
  applying,
  changing,
  watching,
  making,
  refusing,
  customizing,
  connecting,
]
