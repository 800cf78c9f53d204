/**
 * Function words and courtesies of languages other than English, which are never concepts: common ones of
 * four letters and more (or two ideographs), without those that are words of English or of code, too (`fast`,
 * `todo`, `solo`).
 */
export const foreignStopWords: ReadonlySet<string> = new Set(
  `aber alle allem allen aller alles auch bereits bitte dabei dafür damit danach dann daran darauf dass dein denn
  deshalb diese diesem diesen dieser dieses doch dort durch eine einem einen einer eines etwas euch ganz gegen gibt
  habe haben hast hatte hier hinzu ihnen ihre ihrem ihren ihrer immer jede jedem jeden jeder jedes jedoch jetzt kann
  kannst kein keine keinen keiner können könnte machen mehr mein meine meinen möchte muss müssen nach nachdem nicht
  nichts noch obwohl oder ohne schon sehr sein seine seinen seiner seit sind sobald soll sollen sollte sonst sowie
  sowohl unser unsere unseren unter viel viele vielleicht wann waren warum weil welche welchen welcher wenn werde
  werden wieder wird wollen wurde wurden würde zwischen über mache zeig zeige schau versuche fertig afin ainsi alors
  après aussi autre autres avant avec avez avoir avons beaucoup bien ceci cela celle celui cette ceux chaque chez
  comme contre dans depuis doit doivent donc dont elle elles encore entre être était étaient faire fait faut jamais
  leur leurs lorsque maintenant mais merci même moins notre nous parce peut peuvent peux plaît pour pourquoi quand
  quel quelle quelque sans sera serait seulement sinon soit sont sous suis toujours tous tout toute toutes très trop
  veux vers voici votre vous montre essaie trouve regarde terminé además ahora alguna alguno antes aquí aunque cada
  como cómo cual cuál cuando cuándo debe deben desde después donde dónde durante ella ellas ellos entonces eres esas
  esos esta está estaba están estar estas este esto estos fueron hace hacer hacia hasta hemos luego mientras misma
  mismo mucho muchos nada ningún ninguna nosotros nuestra nuestro nunca otra otras otro otros para pero porque puede
  pueden puedes quien quiero según siempre sino sobre también tanto tengo tiene tienen toda todas todavía unas unos
  usted muestra intenta mira hecho listo agora ainda além alguma algum aqui assim através contra depois dessa desse
  desta deste dela dele deve devem elas eles embora então essa essas esse esses estamos estão fazer foram isso isto
  mesma mesmo minha muito muitos nenhum nenhuma nessa nesse nesta neste nossa nosso obrigado onde outra outras outro
  outros pela pelas pelo pelos pode podem pois qual quando quanto quem quer sempre seja será seus suas também temos
  você vocês mostre tente pronto feito более больше будем будет будут была были было быть ведь весь вместо всегда
  всего всей всем даже должен должна должно должны если есть зачем здесь именно какая какие какой когда которая
  которое которой которые который которых между меня может можно надо него нельзя никогда ничего нужна нужно нужны
  однако около опять очень перед пожалуйста пока после потом потому почему почти просто против разве себя сейчас снова
  спасибо также такая такие такое такой теперь того тоже только хотя хочу чего через чтобы этим этих этого этой этом
  сделай сделайте покажи покажите помоги посмотри попробуй найди давай готово ancak artık aslında ayrıca bana bazı
  belki benim biraz bunlar bunu bunun böyle bütün daha değil diye eğer fakat gibi göre hala hangi hatta hiçbir için
  ilgili istiyorum kadar lütfen nasıl neden nerede olan olarak olduğu olsun olur onlar onun oysa rağmen sadece sana
  sonra şimdi teşekkürler veya yani zaten çünkü üzere bằng cũng chúng chưa đang được hoặc khác không mình nhưng những
  nhiều phải rằng trong trên trước việc अपने इसके इसलिए उनके उसके करता करते करना करने करें किया किसी कृपया कैसे क्या
  क्यों चाहिए जबकि जाता जाती जैसे ताकि दिया नहीं बहुत मैंने यहाँ लेकिन सकता सकते हमने हमारे हमें होता होती होते होना
  أيضا الآن التي الذي الذين الان بدون عندما كانت لماذا هناك ولكن يكون يمكن يمكنك אולי אחרי אנחנו בבקשה בשביל הזאת יותר
  כאשר
  לפני למרות להיות עדיין עכשיו צריך שלנו תודה 없습니다 있습니다 했습니다 해주세요 以下 以上 以前 以及 以后 以後 今回 现在 現在 如何 如果 不再 不会 不會 不是 不能 之前
  之后 之後 什么 什麼 他们 他們 我们 我們 你们 你們 为什么 為什麼 仍然 但是 使用 例如 儘管 尽管 再次 可以 可能 因为 因為 场合 場合 已经 已經 应该 應該 必要 或者 所以 所有 是否 有点 没有 沒有 然后
  然後 由于 由於 自分 虽然 雖然 请问 請問 这个 這個 这些 這些 这样 這樣 这种 這種 进行 進行 通过 通過 那个 那個 那些 都是 需要 还是 還是
  接下來 接下来 幫我 帮我 幫忙 帮忙 麻煩 麻烦 改成 變成 变成 每次 每個 每个 目前 一下 這裡 这里 那裡 那里 怎麼 怎么 怎麼會 怎樣 怎样 一些 一個 一个
  這一個 直接 只是 只要 只有 只能 其他 其它 並且 并且 而且 不過 不过 而已 好像 覺得 觉得 對於 对于 關於 关于 根據 根据 加上 可不可以 是不是 有沒有
  有没有 還沒有 还没有 都會 都会 看看 看一下 再說 再说 最多 最少 至少 寫的 写的 才能 我把`
    .trim()
    .split(/\s+/),
);
