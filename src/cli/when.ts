export { localTime } from '../model/time.ts'
