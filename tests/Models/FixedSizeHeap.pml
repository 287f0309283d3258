/*
 * Pieces that other threads free, and the heaps of threads that have ended: src/PixelPool.FixedBlocks, FixedSizeHeap (.cs, .Misses.cs, .Stopping.cs), ThreadHeap (.cs, .Blocks.cs),
 * RemoteFreeList.cs.
 *
 * Threads, each with a heap, allocate pieces, and free any that is handed out, whoever had allocated it. Each may end; when what it left was taken over, another thread begins in its
 * place. One trims (GiveBackEmptyBlocks). With two heaps, there are two blocks, one of two pieces, one of a single piece, and a thread that has no heap, and no memory for one, frees, too
 * (FreeWithoutHeap). With three heaps, there is one block of two pieces. All of that without a bound.
 *
 * What a thread does inside of its heap, and what others do while it is stopped, excludes each other: BiasedLock.pml. So a free list of a block is a set here. The list of what others freed is
 * what it is: a word, and the first word of each piece, in the order in which they are read and written. What changes the word is interlocked.
 *
 * What must hold, whenever all heaps are stopped
 *   - each piece of a block that has an owner is in one place: handed out, about to be freed, free in its block, or in the list of the block's owner;
 * and always
 *   - what is handed out was free, and what is freed goes into a block, or to the list of a heap, that owns it; a block goes back when all of its pieces are free;
 *   - a block never belongs to a heap that is gone.
 *
 * holds: HEAPS=2 | HEAPS=3
 * fails: HEAPS=2 PUSH_IN_TWO_STEPS => assertion violated
 * fails: HEAPS=2 LINK_AFTER_PUSH => assertion violated
 * fails: HEAPS=2 CLAIM_IN_TWO_STEPS => assertion violated
 * fails: HEAPS=2 PUT_BEFORE_NEXT_IS_READ => assertion violated
 * fails: HEAPS=3 PUSH_AFTER_LEAVING => assertion violated
 * fails: HEAPS=2 ADOPT_WITHOUT_CLAIM => assertion violated
 * fails: HEAPS=3 STOP_THE_ENDED_ONLY => assertion violated
 * fails: HEAPS=3 WITHOUT_AWAIT => assertion violated
 * fails: HEAPS=2 FREE_WITHOUT_HEAP_AND_LOCK => assertion violated
 * fails: HEAPS=2 REMOVE_WHATEVER_IT_HAS => assertion violated
 */
#if HEAPS == 3
#define PIECES 2
#else
#define PIECES 3
#endif
#define BLOCK_OF(piece) (((piece) - 1) / 2)
#define ALL_OF(block) (block == 0 -> 3 : 4)
#define BLOCKS 2

/* Pieces have numbers from 1 on, so that 0 is no piece. */
#define BIT(piece) (1 << ((piece) - 1))

/* BlockHeader.Owner: the index of a heap; or the block is with nobody but the supply, or on its way from there. */
#define SUPPLY 10
#define ON_ITS_WAY 11
byte owner[BLOCKS] = SUPPLY;

/* BlockHeader.Free, of all blocks. */
byte free;

/* RemoteFreeList._first, and the first word of each piece. What is handed out or free in its block has another one there. */
#define SOMETHING_ELSE 7
byte first[HEAPS];
byte link[PIECES + 1] = SOMETHING_ELSE;

/* ThreadHeap: its gate, as much of it as is needed; _isAbandoned; whether it is in FixedSizeHeap._heaps. */
bit isClosed[HEAPS], isInside[HEAPS], isAbandoned[HEAPS], isThere[HEAPS];

/* FixedSizeHeap._gate */
bit gate;

/* For the properties: which pieces are handed out, and which are about to be freed. */
byte handedOut, inHand;

inline lock()
{
	atomic { !gate -> gate = 1 }
}

/* FixedSizeHeap.Enter: at a closed gate the thread waits for the lock, and goes in under it. */
inline enter(heap)
{
	if
	:: atomic { !isClosed[heap] -> isInside[heap] = 1 }
	:: isClosed[heap] ->
		lock();
		isInside[heap] = 1;
		gate = 0
	fi
}

inline leave(heap)
{
	isInside[heap] = 0
}

/* FixedSizeHeap.Stop */
#if HEAPS == 3
#define LAST_HEAP 2
#else
#define LAST_HEAP 1
#endif

inline stop()
{
#ifdef STOP_THE_ENDED_ONLY
	d_step { isClosed[0] = isAbandoned[0]; isClosed[1] = isAbandoned[1]; isClosed[LAST_HEAP] = isAbandoned[LAST_HEAP] }
#else
	d_step { isClosed[0] = 1; isClosed[1] = 1; isClosed[LAST_HEAP] = 1 }
#endif
#ifndef WITHOUT_AWAIT
	!(isClosed[0] && isInside[0]) && !(isClosed[1] && isInside[1]) && !(isClosed[LAST_HEAP] && isInside[LAST_HEAP])
#endif
}

/* FixedSizeHeap.Continue */
inline proceed()
{
	d_step { isClosed[0] = 0; isClosed[1] = 0; isClosed[LAST_HEAP] = 0; gate = 0 }
}

/* Inside of an atomic sequence: ThreadHeap.Put. The piece was in hand, or in the list of the heap. */
inline put(heap, piece)
{
	assert(owner[BLOCK_OF(piece)] == heap && (free & BIT(piece)) == 0 && (handedOut & BIT(piece)) == 0);
	free = free | BIT(piece);
	link[piece] = SOMETHING_ELSE
}

/* Inside of an atomic sequence: a block without used pieces goes back to the supply. */
inline giveBack(block)
{
	assert((free & ALL_OF(block)) == ALL_OF(block) && (inHand & ALL_OF(block)) == 0 && (handedOut & ALL_OF(block)) == 0);
	free = free & ~ALL_OF(block);
	owner[block] = SUPPLY
}

#define IS_EMPTY(heap, block) (owner[block] == heap && (free & ALL_OF(block)) == ALL_OF(block))

/* Inside of an atomic sequence: ThreadHeap.TakeEmpty */
inline giveEmptyBack(heap)
{
	if
	:: IS_EMPTY(heap, 0) -> giveBack(0)
	:: else
	fi;
	if
	:: IS_EMPTY(heap, 1) -> giveBack(1)
	:: else
	fi
}

/* Inside of an atomic sequence: ThreadHeap.OnEmpty. A heap keeps one empty block. Which of two goes back makes no difference. */
inline giveSecondBack(heap)
{
	if
	:: IS_EMPTY(heap, 0) && IS_EMPTY(heap, 1) -> giveBack(1)
	:: else
	fi
}

/* ThreadHeap.ClaimRemote, with RemoteFreeList.TakeAll. Behind that nobody else reads or writes what was taken. */
inline claim(heap)
{
#ifdef CLAIM_IN_TWO_STEPS
	list = first[heap];
#endif
	atomic {
#ifndef CLAIM_IN_TWO_STEPS
		list = first[heap];
#endif
		first[heap] = 0;
		do
		:: list != 0 ->
			assert(list <= PIECES);
			next = link[list];
			put(heap, list);
#ifdef PUT_BEFORE_NEXT_IS_READ
			next = link[list];
#endif
			list = next;
			next = 0
		:: else -> break
		od
	}
}

/* RemoteFreeList.Push. Whoever pushes has the piece in hand until it is in the list. */
inline push(heap, piece)
{
	seen = first[heap];
	do
	:: true ->
#ifndef LINK_AFTER_PUSH
		link[piece] = seen;
#endif
#ifdef PUSH_IN_TWO_STEPS
		atomic {
			if
			:: true ->
#else
		atomic {
			if
			:: first[heap] == seen ->
#endif
				assert(owner[BLOCK_OF(piece)] == heap && isThere[heap]);
				first[heap] = piece;
				inHand = inHand & ~BIT(piece);
				break
			:: else -> seen = first[heap]
			fi
		}
	od;
#ifdef LINK_AFTER_PUSH
	link[piece] = seen;
#endif
	seen = 0
}

/* Inside of an atomic sequence: FixedSizeHeap.RemoveIfEnded */
inline removeIfEnded(heap)
{
	if
#ifdef REMOVE_WHATEVER_IT_HAS
	:: isAbandoned[heap] ->
#else
	:: isAbandoned[heap] && owner[0] != heap && owner[1] != heap ->
#endif
		isThere[heap] = 0;
		isAbandoned[heap] = 0;
		assert(owner[0] != heap && owner[1] != heap && first[heap] == 0)
	:: else
	fi
}

#define HAS_ENDED(heap) (heap != me && isAbandoned[heap])

/* FixedSizeHeap.TryAdopt: what threads left that have ended. */
inline tryAdopt()
{
	if
	:: HAS_ENDED(0) || HAS_ENDED(1) || HAS_ENDED(LAST_HEAP) ->
		lock();
		stop();
		adopt(0);
		adopt(1);
#if HEAPS == 3
		adopt(2);
#endif
		proceed()
	:: else
	fi
}

/* ThreadHeap.Adopt: of the ended one what others freed, the empty block, and all others. */
inline adopt(ended)
{
	if
	:: HAS_ENDED(ended) ->
#ifndef ADOPT_WITHOUT_CLAIM
		claim(ended);
#endif
		atomic {
			giveEmptyBack(ended);
			if
			:: owner[0] == ended -> owner[0] = me
			:: else
			fi;
			if
			:: owner[1] == ended -> owner[1] = me
			:: else
			fi;
			removeIfEnded(ended)
		}
	:: else
	fi
}

/* Inside of an atomic sequence: any piece that is handed out is freed by whoever has it. */
inline takeInHand(piece)
{
	handedOut = handedOut & ~BIT(piece);
	inHand = inHand | BIT(piece);
	mine = piece
}

#define MINE_IS_IN(places) ((places & free & ((owner[0] == me -> ALL_OF(0) : 0) | (owner[1] == me -> ALL_OF(1) : 0))) != 0)

active [HEAPS] proctype Thread()
{
	byte me, mine, list, next, seen, to;

	me = _pid;

	/* CreateHeap, and AddHeap: in a place that is free. */
end:
	do
	:: atomic { !gate && !isThere[me] -> isThere[me] = 1 }
		do
		:: true ->
			/* AllocateSlowly: TryMakeRoom and TryTake; otherwise TryAdopt; otherwise AddBlock, if the supply has one. */
			enter(me);
			if
			:: !MINE_IS_IN(7) -> claim(me)
			:: else
			fi;
			atomic {
				if
				:: MINE_IS_IN(1) -> mine = 1
				:: MINE_IS_IN(2) && !MINE_IS_IN(1) -> mine = 2
#if PIECES > 2
				:: MINE_IS_IN(4) && !MINE_IS_IN(3) -> mine = 3
#endif
				:: else
				fi;
				if
				:: mine != 0 ->
					assert((handedOut & BIT(mine)) == 0);
					free = free & ~BIT(mine);
					handedOut = handedOut | BIT(mine)
				:: else
				fi;
				giveSecondBack(me);
				leave(me)
			}
			if
			:: mine == 0 ->
				tryAdopt();
				atomic {
					if
					:: owner[0] == SUPPLY -> owner[0] = ON_ITS_WAY; mine = 1
#if HEAPS == 2
					:: owner[0] != SUPPLY && owner[1] == SUPPLY -> owner[1] = ON_ITS_WAY; mine = PIECES
#endif
					:: else
					fi
				}
				if
				:: mine != 0 ->
					enter(me);
					atomic { owner[BLOCK_OF(mine)] = me; free = free | ALL_OF(BLOCK_OF(mine)); leave(me) }
				:: else
				fi
			:: else
			fi;
			mine = 0
		:: atomic {
				if
				:: handedOut & 1 -> takeInHand(1)
				:: handedOut & 2 -> takeInHand(2)
#if PIECES > 2
	#if PIECES > 2
			:: handedOut & 4 -> takeInHand(3)
#endif
#endif
				fi
			}
			/* FreeSlowly, and TryFree. */
			do
			:: true ->
				enter(me);
				if
				:: owner[BLOCK_OF(mine)] == me ->
					atomic {
						put(me, mine);
						inHand = inHand & ~BIT(mine);
						giveSecondBack(me);
						leave(me)
					}
					break
				:: owner[BLOCK_OF(mine)] != me && !isAbandoned[owner[BLOCK_OF(mine)]] ->
#ifdef PUSH_AFTER_LEAVING
					to = owner[BLOCK_OF(mine)];
					leave(me);
					push(to, mine);
#else
					to = owner[BLOCK_OF(mine)];
					push(to, mine);
					leave(me);
#endif
					break
				:: owner[BLOCK_OF(mine)] != me && isAbandoned[owner[BLOCK_OF(mine)]] ->
					/* The thread that the piece belonged to has ended. */
					leave(me);
					tryAdopt()
				fi
			od;
			to = 0;
			mine = 0
		:: true -> break
		od;

		/* The thread has ended: the finalizer of ThreadHeaps says so. */
		isAbandoned[me] = 1
	od
}

/* FreeWithoutHeap */
#if HEAPS == 2
active proctype ThreadWithoutHeap()
{
	byte mine, seen, to;

end:
	do
	:: atomic {
			if
			:: handedOut & 1 -> takeInHand(1)
			:: handedOut & 2 -> takeInHand(2)
#if PIECES > 2
			:: handedOut & 4 -> takeInHand(3)
#endif
			fi
		}
#ifdef FREE_WITHOUT_HEAP_AND_LOCK
		to = owner[BLOCK_OF(mine)];
		push(to, mine);
#else
		lock();
		to = owner[BLOCK_OF(mine)];
		push(to, mine);
		gate = 0;
#endif
		to = 0;
		mine = 0
	od
}
#endif

/* How often a piece is in the list of its block's owner; and in one of the other places. */
inline check(piece)
{
	if
	:: owner[BLOCK_OF(piece)] < SUPPLY ->
		assert(isThere[owner[BLOCK_OF(piece)]]);
		count = ((handedOut & BIT(piece)) != 0) + ((inHand & BIT(piece)) != 0) + ((free & BIT(piece)) != 0);
		list = first[owner[BLOCK_OF(piece)]];
		do
		:: list != 0 ->
			assert(list <= PIECES);
			count = count + (list == piece);
			list = link[list]
		:: else -> break
		od;
		assert(count == 1)
	:: else -> assert(((handedOut | inHand | free) & BIT(piece)) == 0)
	fi;
	count = 0
}

inline trim(heap)
{
	if
	:: isThere[heap] ->
		claim(heap);
		atomic {
			giveEmptyBack(heap);
			removeIfEnded(heap)
		}
	:: else
	fi
}

/* GiveBackEmptyBlocks, and a look at everything while all are stopped. */
active proctype Trimmer()
{
	byte list, next, count;

end:
	do
	:: atomic { !gate -> gate = 1 }
		stop();
		atomic {
			check(1);
			check(2)
#if PIECES > 2
			;
			check(3)
#endif
		}
		trim(0);
		trim(1);
#if HEAPS == 3
		trim(2);
#endif
		proceed()
	od
}
