/*
 * Pieces of a block that is cut, and who waits for one: src/PixelPool/Tiers/SlabSizeClass.cs, SlabStripe.cs, SlabStripe.FreePages.cs, Slab.cs, and MemoryBudget.TryHand.
 *
 * One block of two or three pieces. A thread takes pieces and returns them, as often as it likes, and stops when it has none. One takes a piece and may keep it forever. One request waits for the budget when
 * it gets no piece, and returns what it was given. So many PASSES let pages of free pieces go.
 *
 * What is done under the lock of the stripe is one step: what is free is a set here. What is not is done in the order of the code: the block on its way from and to the pool; a slab that hands out nothing, and
 * takes nothing back, while pages of its free pieces go; and the line.
 *
 * What must hold
 *   - a piece has one owner, and its pages stay while it has;
 *   - the block goes back when no piece is in use, by whoever returned the last one;
 *   - nobody waits while a piece is free (no invalid end state).
 *
 * holds: PIECES=2 PASSES=1 | PIECES=3 PASSES=0
 * fails: PIECES=2 PASSES=1 PUT_WHILE_PAGES_GO => assertion violated
 * fails: PIECES=2 PASSES=0 WITHOUT_SERVE_IN_RETURN => invalid end state
 * fails: PIECES=2 PASSES=0 SERVE_BEFORE_PUT => invalid end state
 * fails: PIECES=2 PASSES=0 WITHOUT_LOOK_IN_JOIN => invalid end state
 * fails: PIECES=2 PASSES=0 WITHOUT_SERVE_IN_OPEN => invalid end state
 * fails: PIECES=2 PASSES=1 LOOK_WHILE_PAGES_GO => invalid end state
 * fails: PIECES=2 PASSES=0 WITHOUT_SERVE_OF_RELEASE => invalid end state
 */
#define ALL ((1 << PIECES) - 1)
#define BIT(piece) (1 << ((piece) - 1))

/* The pool, which is full: whether the block is in it. Slab.Block: whether it is cut. */
bit isInPool = 1, isCut;

/* Slab: what is free, how many pieces are in use, whether it is out of the list of slabs that hand out pieces; whose pages go, while IsDiscarding. */
byte free = ALL, used, going;
bit isFull, isDiscarding;

/* SlabSizeClass.Discarding */
bit isHeldForPages;

/* SlabSizeClass._waiting, and how the request stands: it is in line, it was given a piece, the budget was charged for it. */
bit isWaiting, isServed;
byte given;

/* For the properties: pieces that somebody has, or is about to return. */
byte had;
byte stopped;

/* Inside of an atomic sequence, under the lock: SlabStripe.TakeFrom. There is a free piece. */
inline takeFree(piece)
{
	if
	:: free & 1 -> piece = 1
	:: (free & 2) && !(free & 1) -> piece = 2
#if PIECES > 2
	:: (free & 4) && !(free & 3) -> piece = 3
#endif
	fi;
	assert((had & BIT(piece)) == 0 && (going & BIT(piece)) == 0 && isCut);
	free = free & ~BIT(piece);
	had = had | BIT(piece);
	used++;
	if
	:: free == 0 -> isFull = 1
	:: else
	fi
}

/* SlabStripe.TryTake */
inline tryTake(piece)
{
	atomic {
		if
		:: isCut && !isFull -> takeFree(piece)
		:: else
		fi
	}
}

/* SlabSizeClass.TryTakeAnywhere: nobody holds the lock for longer but who lets pages go. */
inline tryTakeAnywhere(piece)
{
	atomic {
#ifndef LOOK_WHILE_PAGES_GO
		!isHeldForPages;
#endif
		if
		:: isCut && !isFull -> takeFree(piece)
		:: else
		fi
	}
}

/* SlabSizeClass.TryTakeSlowly */
inline tryTakeSlowly(piece)
{
	tryOpen(piece);
	if
	:: piece == 0 -> tryTakeAnywhere(piece)
	:: else
	fi
}

/* SlabSizeClass.TryOpen: a newcomer gets no block that a request in line waits for. */
inline tryOpen(piece)
{
	hasBlock = 0;
	atomic {
		if
		:: isInPool && !isWaiting -> isInPool = 0; hasBlock = 1
		:: else
		fi
	}
	if
	:: hasBlock ->
		atomic {
			assert(!isCut && free == ALL && going == 0 && had == 0 && used == 0);
			isCut = 1;
			isFull = 0;
			takeFree(piece);
			hasBlock = 0
		}
#ifndef WITHOUT_SERVE_IN_OPEN
		serveWaiting()
#endif
	:: else
	fi
}

/* SlabSizeClass.ServeWaiting. What was taken for somebody who has gone is put back. */
inline serveWaiting()
{
	do
	:: isWaiting ->
		mine = 0;
		tryTakeAnywhere(mine);
		if
		:: mine == 0 -> break
		:: else
		fi;

		/* MemoryBudget.TryHand */
		atomic {
			if
			:: isWaiting -> isWaiting = 0; given = mine; mine = 0
			:: else
			fi
		}
		if
		:: mine != 0 ->
			putBack(mine);
			mine = 0
		:: else
		fi
	:: else -> break
	od;
	mine = 0
}

/* SlabSizeClass.Return: the piece, and its block if it was the last one */
inline putBack(piece)
{
	/* SlabStripe.TryPut; if pages go, once more behind SlabSizeClass.Discarding. */
	atomic {
#ifndef PUT_WHILE_PAGES_GO
		!isDiscarding;
#endif
		assert(isCut && (had & BIT(piece)) != 0 && (free & BIT(piece)) == 0 && used != 0);
		had = had & ~BIT(piece);
		free = free | BIT(piece);
		used--;
		isFull = 0;
		if
		:: used == 0 ->
			assert(free == ALL && going == 0 && had == 0);
			isCut = 0;
			isEmptied = 1
		:: else
		fi
	}
	if
	:: isEmptied ->
		/* BlockPool.Return, and MemoryBudget.Serve if somebody waits. */
		isInPool = 1;
		isEmptied = 0;
#ifndef WITHOUT_SERVE_OF_RELEASE
		serve()
#endif
	:: else
	fi
}

/* MemoryBudget.Serve: the bytes of the block are charged to who is next. */
inline serve()
{
	atomic {
		if
		:: isWaiting && isInPool -> isWaiting = 0; isInPool = 0; isServed = 1
		:: else
		fi
	}
}

/* SlabSizeClass.Return */
inline giveBack(piece)
{
#ifdef SERVE_BEFORE_PUT
	serveWaiting();
#endif
	putBack(piece);
	piece = 0;
#if !defined(SERVE_BEFORE_PUT) && !defined(WITHOUT_SERVE_IN_RETURN)
	serveWaiting()
#endif
}

active proctype Thread()
{
	byte piece, mine;
	bit isEmptied, hasBlock;

	do
	:: true ->
		tryTake(piece);
		if
		:: piece == 0 -> tryTakeSlowly(piece)
		:: else
		fi;
		if
		:: piece != 0 -> giveBack(piece)
		:: else
		fi
	:: true -> break
	od;
	stopped++
}

active proctype Keeper()
{
	byte piece, mine;
	bit isEmptied, hasBlock;

	tryTakeSlowly(piece);
	if
	:: piece != 0 -> giveBack(piece)
	:: true
	fi;
	stopped++
}

/* SlabStripe.DiscardFreePages */
#if PASSES
active proctype Trimmer()
{
	byte passes;

	do
	:: passes < PASSES ->
		passes++;
		atomic { !isHeldForPages -> isHeldForPages = 1 }
		atomic {
			if
			:: isCut && used != 0 -> going = free; isDiscarding = 1; isFull = 1
			:: else
			fi
		}
		if
		:: isDiscarding ->
			/* Their pages go. */
			assert((going & had) == 0);
			atomic {
				assert((going & had) == 0 && isCut);
				going = 0;
				isDiscarding = 0;
				isFull = (free == 0)
			}
		:: else
		fi;
		isHeldForPages = 0
	:: true -> break
	od;
	stopped++
}

#endif

/* A request that is refused, and waits: BudgetWait. */
active proctype Waiter()
{
	byte piece, mine;
	bit isEmptied, hasBlock;

	tryTakeSlowly(piece);
	if
	:: piece == 0 ->
		/* MemoryBudget.Join */
		isWaiting = 1;
		serve();
#ifndef WITHOUT_LOOK_IN_JOIN
		serveWaiting();
#endif
		if
		:: given != 0 -> piece = given; given = 0
		:: isServed -> isServed = 0; isInPool = 1
		fi
	:: else
	fi;
	if
	:: piece != 0 -> giveBack(piece)
	:: else
	fi;
	stopped++
}

/* When all have stopped. */
active proctype End()
{
	stopped == 3 + (PASSES != 0) -> assert(had != 0 || (isInPool && !isCut))
}
