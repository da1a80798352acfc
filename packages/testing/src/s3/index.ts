export { type S3Server, startS3Server } from './s3-server.js';
