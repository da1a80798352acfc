export { MailServer, type ReceivedMail } from './mail-server.js';
