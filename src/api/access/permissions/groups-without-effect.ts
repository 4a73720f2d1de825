/**
 * Permission groups of Cloudflare's other products. Configurations name them, and tokens may hold them. They grant
 * nothing here. Ids are Cloudflare's where they are public; the others begin with `5a1c0de`.
 * @source Cloudflare API, GET /user/tokens/permission_groups
 */
export const groupsWithoutEffect = [
  ...read(
    'account',
    `
4dc8917b4b40457d88d3035d5dadb054 AI Gateway Read
644535f4ed854494a59cb289d634b257 AI Gateway Run
6c8a3737f07f46369c1ea1f22138daaf AI Gateway Write
9e9b428a0bcd46fd80e580b46a69963c AI Search Index Engine
7ea222f6d5064cfa89ea366d7c1fee89 Access: Apps and Policies Read
6c9d1cfcfc6840a987d1b5bfb880a841 Access: Apps and Policies Revoke
1e13c5124ca64b72b1969a67e8829049 Access: Apps and Policies Write
b05b28e839c54467a7d6cba5d3abb5a3 Access: Audit Logs Read
08e61dabe81a422dab0dea6fdef1a98a Access: Custom Pages Read
4e5fd8ac327b4a358e48c66fcbeb856d Access: Custom Pages Write
0f4841f80adb4bada5a09493300e7f8d Access: Device Posture Read
2fc1072ee6b743828db668fcb3f9dee7 Access: Device Posture Write
4f3196a5c95747b6ad82e34e1d0a694f Access: Mutual TLS Certificates Read
29d3afbfd4054af9accdd1118815ed05 Access: Mutual TLS Certificates Write
26bc23f853634eb4bff59983b9064fde Access: Organizations, Identity Providers, and Groups Read
7121a0c7e9ed46e3829f9cca2bb572aa Access: Organizations, Identity Providers, and Groups Revoke
bfe0d8686a584fa680f4c53b5eb0de6d Access: Organizations, Identity Providers, and Groups Write
b8b7514ce5364cd8ac0455f3eb16eb5f Access: Policy Test Read
6d23f290472f4e6fad5c4398c057c356 Access: Policy Test Write
de99c87e48d642ce8c985d027905b475 Access: Population Read
bc783549a3a741aaa10556faf8b485bb Access: Population Write
e985ca9351db460faebbe8681c48e560 Access: SCIM logs read
99ff99e4e30247a99d3777a8c4c18541 Access: SSH Auditing Read
d30c9ad8b5224e7cb8d41bcb4757effc Access: SSH Auditing Write
91f7ce32fa614d73b7e1fc8f0e78582b Access: Service Tokens Read
a1c0fec57cf94af79479a6d827fa518c Access: Service Tokens Write
5e5d3e8efeec49f3afb67bafecbcd511 Account API Gateway
05a2a65760a546439ed29762b163cece Account API Gateway Read
b89a480218d04ceb98b4fe57ca29dc1f Account Analytics Read
cfa964bcdafc4ab39704e7476154e41b Account DNS Settings Read
dc44f27f48ab405392a5f69fe822bd01 Account DNS Settings Write
ece81d7757ff406cad61f221a4920d55 Account Security Center Insights Read
cfa2e2893226455c9b945914969dff7c Account Security Center Insights Write
3e4e20ee40b9475dae22201c468fdb70 Account Waiting Rooms Read
a7a233f9604845c787d4c8c39ac09c21 Account: SSL and Certificates Read
db37e5f1cb1a4e1aabaef8deaea43575 Account: SSL and Certificates Write
d07270cea5484b08ad6440c985af2148 Address Maps Read
6ffe7f4299db4d4cb54f64e0eb12a456 Address Maps Write
151803815e4f47de854c2fb7f8284d57 Agents Gateway Read
82748b814dcd46b9b3e66b8151ba5e95 Agents Gateway Run
e84fd345697c4036a14e7810da036e1a Agents Gateway Write
d79c5e2a405b4516a322432287d40c31 Application Security Reports Read
d7887c7a417e4cf2a69f1d01c1a1dc3b Auto Rag Read
7fb8d27511b34d02994d005b520b679f Auto Rag Write
234108c786084936a381bb19b7f4ea65 Auto Rag Write Run Engine
7cf72faf220841aabcfdfab81c43c4f6 Billing Read
6c80e02421494afc9ae14414ed442632 Billing Write
374b03fa229f4eb6b011bb1cd7f235ee Browser Rendering Read
adddda876faa4a0590f1b23a038976e4 Browser Rendering Write
da5fe84b9c5446a0a5955b673fafa288 CASB Read
b9ed086b20864ad89c5aac24cdd02365 CASB Write
47b936e2027140c0a474cac8887b8c29 CF Agents Read
cb142f7fbc3540f0bade0cbe75f606dc CF Agents Write
686ab9a8b3854f25a1474f302d14b68d Calls Read
b711942448db4b0aace44d1312f9fdb0 Calls Write
9ade9cfc8f8949bcb2371be2f0ec8db1 China Network Steering Read
c6f6338ceae545d0b90daaa1fed855e6 China Network Steering Write
9e5a9912439940fca5898b5b8dc6d1a5 Cloud Email Security: Read
a3567c13e074447fb101babac3463566 Cloud Email Security: Write
65ec50cbde3d4c838bbe7500024d5745 Cloudchamber Read
26ce6c7d18a346528e7b905d5e269866 Cloudchamber Write
00ec19a0d4fa4e4aae23b50bf04c0630 Cloudflare CDS Compute Account Read
9bf884ba0de445dab37ea4a3e1a2c9f1 Cloudflare CDS Compute Account Write
3a1e1ef09dd34271bb44fc4c6a419952 Cloudflare DEX
3b376e0aa52c41cbb6afc9cab945afa8 Cloudflare DEX Read
92c8dcd551cc42a6a57a54e8f8d3f3e3 Cloudflare DEX Write
1cd960c063a0448481343372c963d8c7 Cloudflare One Connector: WARP Read
5b5c774a5d174ca88d046c8889648b3f Cloudflare One Connector: WARP Write
c1968d31028d4239976ec3bc4750bbf6 Cloudflare One Connector: cloudflared Read
037b9e348b3b42d4b46ea2fcb1cfb3e7 Cloudflare One Connector: cloudflared Write
07cf1c1952a84b13b2cd542f3d2f29ab Cloudflare One Connectors Read
a7030c9c98d544e092d8b099fabb1f06 Cloudflare One Connectors Write
4f1276d1e7e34c32a5012bbe02ece86d Cloudflare One Networks Read
e2980d9241cf4939bbbd74fdc43b9651 Cloudflare One Networks Write
efea2ab8357b47888938f101ae5e053f Cloudflare Tunnel Read
c07321b023e944ff818fec44d8203567 Cloudflare Tunnel Write
e0e0edfbe8834df3b51424ba4fb7bb5f Cloudflare Zero Trust Secure DNS Locations Write
cf9353ed7978436e8fb20c03fce26449 Cloudforce One Read
677767156f294485b497a8f103172e7d Cloudforce One Write
77efc2c0724d4c4eb94bfd9656247130 Connectivity Directory Admin
95fa65ba51fd49c4a6ac4c8c78ebac93 Connectivity Directory Bind
8764961c1edb4274be129d630b0b2671 Connectivity Directory Read
eeffa4d16812430cb4a0ae9e7f46fc24 Constellation Read
7c81856725af47ce89a790d5fb36f362 Constellation Write
192192df92ee43ac90f2aeeffce67e35 D1 Read
09b2857d1c31407795e75e3fed8617a1 D1 Write
dee7c22a57674abea8f942110b094717 DDoS Botnet Feed Read
0caa90c9b186447397c8b00358d34a76 DDoS Botnet Feed Write
af1c363c35ba45b9a8c682ae50eb3f99 DDoS Protection Read
d44ed14bcc4340b194d3824d60edad3f DDoS Protection Write
5f48a472240a4b489a21d43bd19a06e1 DNS Firewall Read
da6d2d6f2ec8442eaadda60d13f42bca DNS Firewall Write
95d69e8d6d5144bfb0923667355d9f11 DNS View Read
5b7aedd821a548b9bf5a2acabbce98c7 DNS View Write
29eefa0805f94fdfae2b058b5b52f319 Disable ESC Read
18555e39c5ba40d284dde87eda845a90 Disable ESC Write
5272e56105d04b5897466995b9bd4643 Email Routing Addresses Read
e4589eb09e63436686cd64252a3aebeb Email Routing Addresses Write
2d5b4b1f6c89487bb7184c2c1dcd3bf1 Email Sending Read
5df633d6b41c42bcaf5b4a62b9d14b64 Email Sending Write
6b60a5a87cae475da7e76e77e4209dd5 HTTP Applications Read
4736c02a9f224c8196ae5b127beae78c HTTP Applications Write
4d62ccf834df44808bc9283d65c4e4e9 Hyperdrive Read
721b2f51fba74871bd361de65aeb7e03 Hyperdrive Write
212c9ff247b9406d990c017482afb3a5 IOT Read
865ebd55bc6d4b109de6813eccfefd13 IOT Write
e763fae6ee95443b8f56f19213c5f2a5 IP Prefixes: BGP On Demand Read
2ae23e4939d54074b7d252d27ce75a77 IP Prefixes: BGP On Demand Write
27beb7f8333b41e2b946f0e23cd8091e IP Prefixes: Read
92b8234e99f64e05bbbc59e1dc0f76b6 IP Prefixes: Write
0cf6473ad41449e7b7b743d14fc20c60 Images Read
618ec6c64a3a42f8b08bdcb147ded4e4 Images Write
c6f97eeee13345db8cc00af0953a42de Integration Write
df1577df30ee46268f9470952d7b0cdf Intel Read
92209474242d459690e2cdb1985eaa6c Intel Write
59059f0c977b44f8b1c18e0aaf91c369 Load Balancers Account Read
419ec42810af4659ade77716dbe47bc6 Load Balancers Account Write
b84a912ebb4a418888fec65f65c8ff3b MCP Portals Read
db3d398df73946acb755c05b69edfc30 MCP Portals Write
3a46c728a0a040d5a65cd8e2f3bc6935 Magic Firewall Packet Captures - Read PCAPs API
4ea7d6421801452dbf07cef853a5ef39 Magic Firewall Packet Captures - Write PCAPs API
8e6ed1ef6e864ad0ae477ceffa5aa5eb Magic Network Monitoring Admin
3d85e9514f944bb4912c5871d92e5af5 Magic Network Monitoring Config Read
09c77baecb6341a2b1ca2c62b658d290 Magic Network Monitoring Config Write
967ecf860a244dd1911a0331a0af582a Magic Transit Read
0bc09a3cd4b54605990df4e307f138e1 Magic Transit Write
17fc856c4ebe49d4bb70f8e4744398cf Magic WAN Read
a1a7389ba7e441dba95852e10970fcc3 Magic WAN Write
440e6958bcc947329f8d56328d7322ce Page Shield
050531528b044d58bbb71666fef7c07c Page Shield Read
e247aedd66bd41cc9193af0213416666 Pages Read
8d28297797f24fb8a0c332fe0866ec89 Pages Write
14b9cf2f410f4c0c9a16bb10a81c0e0b Pipelines Read
5606e7405dc542949d949d59993d321f Pipelines Send
e34111af393449539859485aa5ddd5bd Pipelines Write
fd7f886c75a244389e892c4c3c068292 Pubsub Configuration Read
910b6ecca1c5411bb894e787362d1312 Pubsub Configuration Write
84a7755d54c646ca87cd50682a34bf7c Queues Read
366f57075ffc42689627bcf8242a1b6d Queues Write
dfe525ec7b07472c827d8d009178b2ac Radar Read
de62b15d79cc4d8d9c7b443c656eadbd Realtime
ba6ce7d23a9544ccad0816691ba38e21 Realtime Admin
9bb90620717647a39679e1d951f140d6 Registrar Domains Read
58abbad6d2ce40abb2594fbe932a2e0e Rule Policies Read
61ddc58f1da14f95b33b41213360cbeb Rule Policies Write
d5812c023a5048b4882175a28952362d SCIM Provisioning
1d80f6f165ea47f2b55d4a393fd697de SSO Connector Read
901ca5e292584c6aa1b4cdb39248bb07 SSO Connector Write
5e33b7d77788455c9fdf18cbd38ee5a0 Secrets Store Read
adc8fa2bc6124928a8b3314dc63a1235 Secrets Store Write
de21485a24744b76a004aa153898f7fe Stream Read
714f9c13a5684c2885a793f5edb36f59 Stream Write
f0ba3733e746429182fcd40ec648c066 Trust and Safety Read
120f843a9c074f399b830e542e5616b8 Trust and Safety Write
5d78fd7895974fd0bdbbbb079482721b Turnstile Sites Read
755c05aa014b4f9ab263aa80b8167bd8 Turnstile Sites Write
5d613a610b294788a29572aaac2f254d URL Scanner Read
2a400bcb29154daab509fe07e3facab0 URL Scanner Write
1799edaae5db489294430e20d9b519e0 Vectorize Read
64156ba5be47441096c83c7fc17c488b Vectorize Write
a92d2450e05d4e7bb7d0a64968f83d11 Workers AI Read
bacc64e0f6c34fc0883a1223f938a104 Workers AI Write
ad99c5ae555e45c4bef5bdf2678388ba Workers CI Read
2e095cf436e2455fa62c9a9c2e18c478 Workers CI Write
cfd39eebc07c4e3ea849e4b3d2644637 Workers Containers Read
bdbcd690c763475a985e8641dddc09f7 Workers Containers Write
8b47d2786a534c08a1f94ee8f9f599ef Workers KV Storage Read
f7f0eda5697f475c90846e879bab8666 Workers KV Storage Write
66c1ed49f4ed46098b75696a6d4ee3c9 Workers Observability Read
29c629fb7b5e4c408ca0f7b545724fcc Workers Observability Telemetry Write
82c075da3f4647a2a03becd0fe240f8a Workers Observability Write
45db74139a62490b9b60eb7c4f34994b Workers R2 Data Catalog Read
d229766a2f7f4d299f20eaa8c9b1fde9 Workers R2 Data Catalog Write
f45430d92e2b4a6cb9f94f2594c141b8 Workers R2 SQL Read
b4992e1108244f5d8bfbd5744320c2e1 Workers R2 Storage Read
bf7481a1826f439697cb59a20b22293e Workers R2 Storage Write
1a71c399035b4950a1bd1466bbe4f420 Workers Scripts Read
e086da7e2179491d91ee5f35b3ca210a Workers Scripts Write
05880cd1bdc24d8bae0be2136972816b Workers Tail Read
3f376c8e6f764a938b848bd01c8995c4 Zero Trust Read
efb81b5cd37d49f3be1da9363a6d7a19 Zero Trust Report
07f91e3e32b647ffae0178d884f23ee0 Zero Trust Resilience Read
cc00ebddebca4b8399607562a78df084 Zero Trust Resilience Write
b33f02c6f7284e05a6f20741c0bb0567 Zero Trust Write
f5d857f67f144e3c8bacea88c17d4a13 Zero Trust: PII Read
a1a6298e52584c8fb6313760a30c681e Zero Trust: Seats Write
`,
  ),
  ...read(
    'zone',
    `
19637fbb73d242c0a92845d8db0b95b1 AI Audit Read
1ba6ab4cacdb454b913bbb93e1b8cb8c AI Audit Write
eb258a38ea634c86a0c89da6b27cb6b6 Access: Apps and Policies Read
6db4e222e21248ac96a3f4c2a81e3b41 Access: Apps and Policies Revoke
959972745952452f8be2452be8cbb9f2 Access: Apps and Policies Write
9c88f9c5bce24ce7af9a958ba9c504db Analytics Read
094547ab6e77498c8c4dfa87fadd5c51 Apps Write
51be404b56244056868226263a44a632 Bot Management Feedback Report Read
2002629aaff0454085bf5a201ed70a72 Bot Management Feedback Report Write
e17beae8b8cb423a99b1730f21238bed Cache Purge
e199d584e69344eba202452019deafe3 Disable ESC Read
9110d9dd749e464fb9f3961a2064efc5 Disable ESC Write
6134079371904d8ebd77931c8ca07e50 Domain Page Shield
945315185a8f40518bf3e9e6d0bee126 Domain Page Shield Read
1b600d9d8062443e986a973f097e728a Email Routing Rules Read
79b3ec0d10ce4148a8f8bdc0cc5f97f2 Email Routing Rules Write
1047880d37b649b49db4a504a245896f Email Security DMARC Reports Read
2eee71c9364c4cacaf469e8370f09056 Email Security DMARC Reports Write
a2c61201f92a4e06a901f156795388a9 Firewall for AI Read
5af6a2f284144e95a89840408439adef Firewall for AI Write
0d24e472a9654642a97df736e8b0d980 Fraud Detection Read
685f9605fd4e44ec937b6a0db658e629 Fraud Detection Write
319f5059d33a410da0fac4d35a716157 Managed headers Read
0fd9d56bc2da43ad8ea22d610dd8cab1 Managed headers Write
87065285ab38463481e72815eefd18c3 Page Shield Write
cab5202d07ef47beae788e6bc95cb6fe Waiting Rooms Read
24fc124dc8254e0db468e60bf410c800 Waiting Rooms Write
8e31f574901c42e8ad89140b28d42112 Web3 Hostnames Read
5ea6da42edb34811a78d1b007557c0ca Web3 Hostnames Write
2072033d694d415a936eaeb94e6405b8 Workers Routes Read
28f4b596e7d643029c524985477ae49a Workers Routes Write
cdeb15b336e640a2965df8c65052f1e0 Zaraz Admin
89d5bf002389496e9994b8c30608b5d0 Zaraz Edit
5bdbde7e76144204a244274eac3eb0eb Zaraz Read
0a6cfe8cd3ed445e918579e2fb13087b Zone DNS Settings Read
c4df38be41c247b3b4b7702e76eadae0 Zone DNS Settings Write
1b1ea24cf0904d33903f0cc7e54e280f Zone Versioning Read
c9915d86fbff46af9dd945c0a882294b Zone Versioning Write
5a1c0de00000000000000000000000a2 Zone Security Center Insights Read
5a1c0de00000000000000000000000a3 Zone Security Center Insights Write
`,
  ),
  ...read(
    'bucket',
    `
6a018a9f2fc74eb6b293b0c548f38b39 Workers R2 Storage Bucket Item Read
2efd5506f9c8494dacb1fa10a3e7d5b6 Workers R2 Storage Bucket Item Write
`,
  ),
  ...read(
    'user',
    `
3518d0f75557482e952c6762d3e64903 Memberships Read
9201bc6f42d440968aaab0c6f17ebb1d Memberships Write
8acbe5bb0d54464ab867149d7f7cf8ac User Details Read
55a5e17cc99e4a3fa1f3432d262f2e55 User Details Write
`,
  ),
]

interface Group<Scope> {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** @param lines id and name of a group each */
function read<Scope extends string>(scope: Scope, lines: string): Group<Scope>[] {
  return lines
    .trim()
    .split('\n')
    .map(line => ({ id: line.slice(0, 32), name: line.slice(33), scopes: [scope] }))
}
