/** Texts of accounts: several organizations, and how one signs in. */
export const accounts = {
  'account.organizations': 'Organization',
  'invite.joinTitle': 'Join with your account',
  'invite.hasAccount': 'You have an account already: sign in with its password.',
  'invite.wrong': 'This is not the password of your account.',
  'invite.join': 'Join and sign in',
  'invite.joinText': 'You can change between your organizations in the account menu.',
};
