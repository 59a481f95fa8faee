import type { Conversion } from '../served-resource.js'
import { eventConversion } from './event.js'

/** The versions whose objects are stored in the form of another one, by `group/version/plural`. */
export const conversions: Readonly<Record<string, Conversion>> = {
  'events.k8s.io/v1/events': eventConversion,
}
